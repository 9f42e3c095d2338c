extension Decoder {
    /// The one value that stands here, as `make` takes it; nil refuses it.
    func value<Value: Decodable, Result>(
        of type: Value.Type,
        _ make: (Value) -> Result?
    ) throws -> Result {
        let value = try singleValueContainer().decode(type)
        guard let result = make(value) else { throw DecodingError.refused(in: self) }
        return result
    }
}

extension Encoder {
    func write(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }
}

extension DecodingError {
    /// Where something broke the rule of its type; what was read stays out of it.
    static func refused(in decoder: any Decoder) -> DecodingError {
        .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: "refused"))
    }
}
