/// Encodes a type into a value.
///
/// It keeps no path: a value that cannot be written is a defect of the type, not of the input.
final class ValueEncoder: Encoder {
    /// The encoder of a nested container stays in use after its place is taken.
    enum Part {
        case value(JSONValue)
        case encoder(ValueEncoder)
    }

    private var members: [(name: String, part: Part)]?
    private var elements: [Part]?
    private var whole: JSONValue?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode(_ value: some Encodable) throws -> JSONValue {
        if let exact = value as? any ExactJSON {
            guard let json = exact.json else { throw StrictJSON.Unwritable.unsupportedType }
            return json
        }
        let encoder = ValueEncoder()
        try value.encode(to: encoder)
        return try encoder.json()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if members == nil { members = [] }
        return KeyedEncodingContainer(MemberEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if elements == nil { elements = [] }
        return ElementEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The encoded value, which must be exactly one object, array or other value.
    private func json() throws(StrictJSON.Unwritable) -> JSONValue {
        return switch (members, elements, whole) {
        case (let members?, nil, nil):
            .object(
                try members.map { name, part throws(StrictJSON.Unwritable) in
                    JSONValue.Member(name: name, value: try part.json())
                }
            )
        case (nil, let elements?, nil):
            .array(try elements.map { part throws(StrictJSON.Unwritable) in try part.json() })
        case (nil, nil, let whole?): whole
        default: throw .notOneValue
        }
    }
}

// MARK: The whole value

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { throw StrictJSON.Unwritable.unsupportedType }

    func encode(_ value: some Encodable) throws {
        guard whole == nil else { throw StrictJSON.Unwritable.notOneValue }
        whole = try Self.encode(value)
    }
}

// MARK: For its containers

extension ValueEncoder {
    var elementCount: Int { elements?.count ?? 0 }

    func append(_ part: Part, named name: String) { members?.append((name, part)) }

    func append(_ part: Part) { elements?.append(part) }
}

extension ValueEncoder.Part {
    fileprivate func json() throws(StrictJSON.Unwritable) -> JSONValue {
        switch self {
        case .value(let value): value
        case .encoder(let encoder): try encoder.json()
        }
    }
}
