import StrictJSON

extension VectorFile {
    /// The whole file, with unparsed rows.
    struct Document {
        let type: VectorType
        let source: String
        let rows: [VectorCase.Value]

        init(reading bytes: [UInt8], of types: [VectorType]) throws(VectorCase.Malformed) {
            guard case .object(var rest) = try VectorCase.Value(reading: bytes) else {
                throw VectorCase.Malformed(reason: "the document has the wrong kind")
            }
            let name = try Self.take("type", from: &rest, as: \.text)
            guard let type = types.first(where: { $0.name == name }) else {
                throw VectorCase.Malformed(reason: "the type \"\(name.prefix(40))\" is unknown")
            }
            self.type = type
            source = try Self.take("source", from: &rest, as: \.text)
            if rest["note"] != nil { _ = try Self.take("note", from: &rest, as: \.text) }
            rows = try Self.take("cases", from: &rest, as: \.list)
            guard !rows.isEmpty else { throw VectorCase.Malformed(reason: "it has no cases") }
            try VectorCase.Malformed.check(nothingLeftIn: rest)
        }

        private static func take<Taken>(
            _ name: String,
            from rest: inout [String: VectorCase.Value],
            as kind: (VectorCase.Value) -> Taken?
        ) throws(VectorCase.Malformed) -> Taken {
            guard let value = rest.removeValue(forKey: name) else {
                throw VectorCase.Malformed(reason: "the field \"\(name)\" is missing")
            }
            guard let taken = kind(value) else {
                throw VectorCase.Malformed(reason: "the field \"\(name)\" has the wrong kind")
            }
            return taken
        }
    }
}

extension VectorCase.Value {
    fileprivate init(reading bytes: [UInt8]) throws(VectorCase.Malformed) {
        let limits = StrictJSON.Limits(
            byteCount: 4 << 20,
            depth: 8,
            valueCount: 1 << 20,
            allowsNullCharacter: true
        )
        do throws(StrictJSON.Failure) {
            self.init(try JSONValue(reading: bytes, limits: limits))
        } catch {
            throw VectorCase.Malformed(error)
        }
    }

    private init(_ value: JSONValue) {
        self =
            switch value {
            case .string(let text): .text(text)
            case .number(let number): number.integer(Int.self).map { .integer($0) } ?? .other
            case .array(let elements): .list(elements.map { Self($0) })
            case .object(let members): .object(Self.fields(members))
            case .boolean, .null: .other
            }
    }

    /// Names that Swift compares as equal are never ours, so either may stay.
    private static func fields(_ members: [JSONValue.Member]) -> [String: Self] {
        Dictionary(members.map { ($0.name, Self($0.value)) }) { first, _ in first }
    }

    fileprivate var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    fileprivate var list: [Self]? {
        guard case .list(let list) = self else { return nil }
        return list
    }
}

extension VectorCase.Malformed {
    fileprivate init(_ failure: StrictJSON.Failure) {
        switch failure {
        case .malformed(.repeatedName, let offset):
            reason = "the object at byte \(offset) has a field twice"
        case .malformed(.tooLarge, let offset), .malformed(.tooDeep, let offset),
            .malformed(.tooManyValues, let offset):
            reason = "at byte \(offset) it is too large or too deep"
        case .malformed(_, let offset): reason = "at byte \(offset) it is not JSON"
        case .mismatch: reason = "the document has the wrong kind"
        }
    }
}
