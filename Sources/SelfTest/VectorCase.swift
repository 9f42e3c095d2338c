import Cryptography

/// A row of a vector file: inputs and the expected result.
package struct VectorCase: Sendable {
    package enum Value: Equatable, Sendable {
        case text(String)
        case integer(Int)
        indirect case list([Value])
        indirect case object([String: Value])
        /// A value that no field accepts: true, false, null, or a number that is not an `Int`.
        case other
    }

    enum Outcome: Equatable, Sendable {
        case accepted([String: Value])
        case refused
    }

    struct Malformed: Error {
        let reason: String

        static func check(nothingLeftIn rest: [String: Value]) throws(Malformed) {
            guard let name = rest.keys.min() else { return }
            throw Malformed(reason: "the field \"\(name.prefix(40))\" is unknown")
        }
    }

    let expected: Outcome
    private let fields: [String: Value]

    /// Takes a row that has exactly the fields of its type, each of the right kind.
    init(_ row: Value, of type: VectorType) throws(Malformed) {
        guard case .object(let fields) = row else {
            throw Malformed(reason: "the case has the wrong kind")
        }
        var rest = fields
        rest["comment"] = nil
        let expectation = rest.removeValue(forKey: "expect")
        self.fields = fields
        for field in type.inputs { try Self.take(field, from: &rest) }
        switch expectation {
        case .text("reject"): expected = .refused
        case .text("accept") where type.results.isEmpty: expected = .accepted([:])
        case nil where !type.results.isEmpty:
            expected = .accepted(rest)
            for field in type.results { try Self.take(field, from: &rest) }
        case nil: throw Malformed(reason: "the field \"expect\" is missing")
        default:
            let allowed = type.results.isEmpty ? "\"accept\" or \"reject\"" : "\"reject\""
            throw Malformed(reason: "the field \"expect\" must be \(allowed)")
        }
        try Malformed.check(nothingLeftIn: rest)
    }

    private static func take(
        _ field: VectorField,
        from rest: inout [String: Value]
    ) throws(Malformed) {
        switch (rest.removeValue(forKey: field.name), field.kind) {
        case (.text, .text), (.integer, .integer), (.list, .list): break
        case (.text(let text), .bytes) where decode(text) != nil: break
        case (nil, _) where field.isOptional: break
        case (nil, _): throw Malformed(reason: "the field \"\(field.name)\" is missing")
        default: throw Malformed(reason: "the field \"\(field.name)\" has the wrong kind")
        }
    }

    /// Nil if it is not lower-case hexadecimal.
    private static func decode(_ hexadecimal: String) -> [UInt8]? {
        hexadecimal == hexadecimal.lowercased()
            ? try? TextEncoding.hexadecimal.decode(hexadecimal) : nil
    }
}

extension VectorCase {
    /// A field has a value that its type does not accept.
    package struct Refused: Error {
        package init() {}
    }

    package func has(_ name: String) -> Bool { fields[name] != nil }

    package func text(_ name: String) throws(Refused) -> String {
        guard case .text(let text) = fields[name] else { throw Refused() }
        return text
    }

    package func integer(_ name: String) throws(Refused) -> Int {
        guard case .integer(let number) = fields[name] else { throw Refused() }
        return number
    }

    package func list(_ name: String) throws(Refused) -> [Value] {
        guard case .list(let values) = fields[name] else { throw Refused() }
        return values
    }

    package func bytes(_ name: String) throws(Refused) -> [UInt8] {
        try orRefused(Self.decode(try text(name)))
    }

    package func orRefused<Value>(_ value: Value?) throws(Refused) -> Value {
        guard let value else { throw Refused() }
        return value
    }
}
