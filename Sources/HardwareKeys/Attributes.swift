import CPKCS11

/// The attributes of an object, for a search or for a new object.
struct Attributes {
    private var list: [(type: CK_ATTRIBUTE_TYPE, value: [UInt8])] = []

    func with(_ type: CK_ATTRIBUTE_TYPE, _ value: [UInt8]) -> Attributes {
        var copy = self
        copy.list.append((type, value))
        return copy
    }

    func with(_ type: CK_ATTRIBUTE_TYPE, _ flag: Bool) -> Attributes {
        with(type, [flag ? 1 : 0])
    }

    func with(_ type: CK_ATTRIBUTE_TYPE, _ number: CK_ULONG) -> Attributes {
        with(type, withUnsafeBytes(of: number, Array.init))
    }

    /// The attributes in C, valid for the duration of `body`.
    func withTemplate<Outcome, Failure>(
        _ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        // Numbers must be aligned.
        let alignment = MemoryLayout<CK_ULONG>.alignment
        let steps = list.map { ($0.value.count + alignment - 1) / alignment * alignment }
        let values = UnsafeMutableRawBufferPointer.allocate(
            byteCount: steps.reduce(0, +),
            alignment: alignment
        )
        defer { values.deallocate() }
        var (template, start) = ([CK_ATTRIBUTE](), 0)
        for (attribute, step) in zip(list, steps) {
            let place = UnsafeMutableRawBufferPointer(rebasing: values[start..<start + step])
            place.copyBytes(from: attribute.value)
            template.append(
                CK_ATTRIBUTE(
                    type: attribute.type,
                    pValue: place.baseAddress,
                    ulValueLen: CK_ULONG(attribute.value.count)
                )
            )
            start += step
        }
        let count = CK_ULONG(template.count)
        return try template.withUnsafeMutableBufferPointer { template throws(Failure) in
            try body(template.baseAddress, count)
        }
    }
}
