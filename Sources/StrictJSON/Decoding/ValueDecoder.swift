/// Decodes a type from a value, and records which parts the type read.
final class ValueDecoder: Decoder {
    let value: JSONValue
    private let path: DecodingPath
    /// For each member or element, whether it was read.
    private var wasRead: [Bool]
    /// Decoders of nested containers, which have no `init(from:)` that ends them.
    private var nested: [ValueDecoder] = []

    private init(_ value: JSONValue, at path: DecodingPath) {
        self.value = value
        self.path = path
        wasRead = Array(repeating: false, count: value.contentCount)
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from value: JSONValue
    ) throws -> Value {
        try ValueDecoder(value, at: .document).decode(type)
    }

    var codingPath: [any CodingKey] { path.steps }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch(.wrongType) }
        return KeyedDecodingContainer(MemberContainer(members, of: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch(.wrongType) }
        return ElementContainer(elements, of: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func mismatch(_ reason: StrictJSON.Mismatch) -> StrictJSON.Failure {
        .mismatch(reason, path: path.pointer)
    }
}

// MARK: For its containers

extension ValueDecoder {
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from item: JSONValue,
        number: Int,
        at step: PathStep
    ) throws -> Value {
        wasRead[number] = true
        // Most items are texts and numbers, which need no decoder.
        if let exact = type as? any ExactJSON.Type {
            guard let value = exact.init(json: item) as? Value else {
                throw mismatch(.wrongType, at: step)
            }
            return value
        }
        return try ValueDecoder(item, at: .step(step, after: path)).decode(type)
    }

    func nested(_ item: JSONValue, number: Int, at step: PathStep) -> ValueDecoder {
        wasRead[number] = true
        let decoder = ValueDecoder(item, at: .step(step, after: path))
        nested.append(decoder)
        return decoder
    }

    func mismatch(_ reason: StrictJSON.Mismatch, at step: PathStep) -> StrictJSON.Failure {
        .mismatch(reason, path: DecodingPath.step(step, after: path).pointer)
    }

    private func checkAllWasRead() throws(StrictJSON.Failure) {
        if let number = wasRead.firstIndex(of: false) {
            throw mismatch(.unknownContent(number: number))
        }
        for decoder in nested { try decoder.checkAllWasRead() }
    }
}

// MARK: The whole value

extension ValueDecoder: SingleValueDecodingContainer {
    /// Always false: an optional type is read as its value, which rejects `null`.
    func decodeNil() -> Bool { false }

    /// No enumeration has a case with a longer name.
    private static let longestCase = 64

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let exact = type as? any ExactJSON.Type {
            guard let value = exact.init(json: value) as? Value else { throw mismatch(.wrongType) }
            return value
        }
        // The comparison with each case would take a time that grows with the square.
        if case .string(let text) = value, text.utf8.count > Self.longestCase,
            type is any RawRepresentable<String>.Type
        {
            throw mismatch(.refused)
        }
        do {
            let value = try Value(from: self)
            try checkAllWasRead()
            return value
        } catch let failure as StrictJSON.Failure {
            throw failure
        } catch {
            // The type's own error may contain the input.
            throw mismatch(.refused)
        }
    }
}

extension JSONValue {
    fileprivate var contentCount: Int {
        switch self {
        case .object(let members): members.count
        case .array(let elements): elements.count
        case .string, .number, .boolean, .null: 0
        }
    }
}
