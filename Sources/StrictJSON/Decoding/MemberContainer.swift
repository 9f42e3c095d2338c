/// The members of an object.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: [JSONValue.Member]
    private let decoder: ValueDecoder

    init(_ members: [JSONValue.Member], of decoder: ValueDecoder) {
        self.members = members
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { index(of: key) != nil }

    /// Always false: see `ValueDecoder.decodeNil()`.
    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let index = try requiredIndex(of: key)
        let item = members[index].value
        return try decoder.decode(type, from: item, number: index, at: PathStep(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try nested(PathStep(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key) }

    private func nested(_ key: some CodingKey) throws -> ValueDecoder {
        let index = try requiredIndex(of: key)
        return decoder.nested(members[index].value, number: index, at: PathStep(key))
    }

    private func requiredIndex(of key: some CodingKey) throws -> Int {
        guard let index = index(of: key) else {
            throw decoder.mismatch(.missing, at: PathStep(key))
        }
        return index
    }

    private func index(of key: some CodingKey) -> Int? {
        let name = ExactName(key.stringValue)
        return members.firstIndex { ExactName($0.name) == name }
    }
}
