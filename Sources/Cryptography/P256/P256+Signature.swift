extension P256 {
    /// An ECDSA signature: the numbers r and s, 32 bytes each.
    package struct Signature: Equatable, Sendable {
        /// Two numbers of 33 bytes, with their tags and lengths.
        static let maximumDistinguishedEncoding = 72

        /// r followed by s (IEEE P1363, used by RFC 9421).
        package let raw: [UInt8]

        package init(raw: Span<UInt8>) throws(CryptographyFailure) {
            guard raw.count == signatureByteCount else { throw .invalidCurveEncoding }
            self.raw = raw.array
        }

        /// Reads DER; any other encoding of the same numbers is rejected.
        package init(distinguishedEncoding: Span<UInt8>) throws(CryptographyFailure) {
            var reader = Reader(rest: distinguishedEncoding.array[...])
            var body = Reader(rest: try reader.element(tag: 0x30))
            let numbers = [try body.number(), try body.number()]
            raw = numbers.flatMap { $0 }
            guard reader.rest.isEmpty, body.rest.isEmpty else { throw .invalidCurveEncoding }
        }

        package var distinguishedEncoding: [UInt8] {
            let body = Self.integer(raw.prefix(32)) + Self.integer(raw.suffix(32))
            return [0x30, UInt8(body.count)] + body
        }

        private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(number.drop { $0 == 0 })
            // A leading one bit would be a sign, and zero still needs one byte.
            if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
    }
}

/// Reads only the ASN.1 that a signature needs: short lengths.
private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func element(tag: UInt8) throws(CryptographyFailure) -> ArraySlice<UInt8> {
        guard
            rest.popFirst() == tag, let count = rest.popFirst(), count < 0x80, count <= rest.count
        else { throw .invalidCurveEncoding }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    /// A non-negative number without redundant bytes, padded to 32 bytes.
    mutating func number() throws(CryptographyFailure) -> [UInt8] {
        let bytes = try element(tag: 0x02)
        guard let first = bytes.first, first < 0x80 else { throw .invalidCurveEncoding }
        if first == 0, bytes.count > 1, bytes[bytes.startIndex + 1] < 0x80 {
            throw .invalidCurveEncoding
        }
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= P256.coordinateByteCount else { throw .invalidCurveEncoding }
        return [UInt8](repeating: 0, count: P256.coordinateByteCount - digits.count) + digits
    }
}
