/// The elements of an array, in order.
struct ElementContainer: UnkeyedDecodingContainer {
    private let elements: [JSONValue]
    private let decoder: ValueDecoder
    private(set) var currentIndex = 0

    init(_ elements: [JSONValue], of decoder: ValueDecoder) {
        self.elements = elements
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Always false: see `ValueDecoder.decodeNil()`.
    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let item = try item()
        let step = PathStep(intValue: currentIndex)
        let value = try decoder.decode(type, from: item, number: currentIndex, at: step)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nested().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try nested() }

    private mutating func nested() throws -> ValueDecoder {
        let item = try item()
        defer { currentIndex += 1 }
        return decoder.nested(item, number: currentIndex, at: PathStep(intValue: currentIndex))
    }

    private func item() throws -> JSONValue {
        guard !isAtEnd else {
            throw decoder.mismatch(.missing, at: PathStep(intValue: currentIndex))
        }
        return elements[currentIndex]
    }
}
