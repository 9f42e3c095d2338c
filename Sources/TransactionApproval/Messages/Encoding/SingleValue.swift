extension Decoder {
    /// The single value, converted by `make`; nil refuses it.
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
    /// Without the refused value, which may be secret.
    static func refused(in decoder: any Decoder) -> DecodingError {
        .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: "refused"))
    }
}
