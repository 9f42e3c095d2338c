/// Appends members to the object that `encoder` encodes.
struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws { throw StrictJSON.Unwritable.unsupportedType }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.append(.value(try ValueEncoder.encode(value)), named: key.stringValue)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key.stringValue).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key.stringValue).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nested("super") }

    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

    private func nested(_ name: String) -> ValueEncoder {
        let nested = ValueEncoder()
        encoder.append(.encoder(nested), named: name)
        return nested
    }
}
