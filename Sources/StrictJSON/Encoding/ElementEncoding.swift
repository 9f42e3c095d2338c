/// Appends elements to the array that `encoder` encodes.
struct ElementEncoding: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.elementCount }

    mutating func encodeNil() throws { throw StrictJSON.Unwritable.unsupportedType }

    mutating func encode(_ value: some Encodable) throws {
        encoder.append(.value(try ValueEncoder.encode(value)))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested() }

    private func nested() -> ValueEncoder {
        let nested = ValueEncoder()
        encoder.append(.encoder(nested))
        return nested
    }
}
