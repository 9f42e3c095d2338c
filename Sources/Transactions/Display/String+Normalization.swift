#if hasFeature(Embedded)
    /// Embedded Swift has no normalizer, but the browser has one.
    ///
    /// Its Unicode version may be later. The normal form of a text without unassigned characters is
    /// the same in all later versions (Unicode Standard Annex #15, section 3).
    @_extern(wasm, module: "browser", name: "normalizedPrefix")
    @_extern(c)
    private func normalizedPrefix(_ text: UnsafePointer<UInt8>?, of byteCount: Int) -> Int

    extension String {
        /// The number of scalars before the first that normalization would change.
        var normalizedScalarCount: Int {
            Array(utf8).withUnsafeBufferPointer { normalizedPrefix($0.baseAddress, of: $0.count) }
        }
    }
#else
    @_spi(_Unicode) import Swift

    extension String {
        /// The number of scalars before the first that normalization would change.
        var normalizedScalarCount: Int {
            // The only normalizer in the standard library. It is not a stable API, but
            // FoundationEssentials has none of its own.
            zip(unicodeScalars, _nfc).prefix { $0 == $1 }.count
        }

        /// Normalization Form C, for texts of programs that cannot normalize them.
        package var normalized: String {
            var scalars = String.UnicodeScalarView()
            for scalar in _nfc { scalars.append(scalar) }
            return String(scalars)
        }
    }
#endif
