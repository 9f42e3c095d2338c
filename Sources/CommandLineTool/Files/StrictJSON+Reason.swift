package import StrictJSON

extension StrictJSON.Failure {
    /// The error in a document, for its author.
    package func reason(in bytes: [UInt8]) -> String {
        switch self {
        case .malformed(let kind, let offset):
            let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            return "line \(line): \(kind.reason)"
        case .mismatch(.unknownContent(let number), let pointer):
            let name = JSONValue.name(ofMember: number, at: pointer, in: bytes)
            let member = name.map { memberName(pointer + "/" + $0) } ?? memberName(pointer)
            return "the member \(member) is unknown"
        case .mismatch(.missing, let pointer):
            return "the member \(memberName(pointer)) is missing"
        case .mismatch(.wrongType, let pointer), .mismatch(.refused, let pointer):
            let place = pointer.isEmpty ? "the document" : "the member \(memberName(pointer))"
            return "\(place) has the wrong type or value"
        }
    }
}

/// A JSON pointer in the usual notation: `requiredFields[0].labels`.
package func memberName(_ pointer: String) -> String {
    pointer.split(separator: "/").reduce("") { path, step in
        if Int(step) != nil { return path + "[\(step)]" }
        return path.isEmpty ? String(step) : "\(path).\(step)"
    }
}

extension JSONValue {
    /// The name of a member, by its position in the object at `pointer`.
    fileprivate static func name(
        ofMember number: Int,
        at pointer: String,
        in bytes: [UInt8]
    ) -> String? {
        // The document was parsed before, at least up to this member: `try?`.
        guard var value = try? JSONValue(reading: bytes, limits: .message) else { return nil }
        for step in pointer.split(separator: "/") {
            let elements = value.elements
            let element = Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            guard let next = value[step] ?? element else { return nil }
            value = next
        }
        guard case .object(let members) = value, members.indices.contains(number) else {
            return nil
        }
        return members[number].name
    }
}

extension StrictJSON.Malformation {
    fileprivate var reason: String {
        switch self {
        case .repeatedName: "a member is repeated"
        case .tooLarge, .tooDeep, .tooManyValues: "the document is too large or too deep"
        case .unexpectedEnd: "the document ends too early"
        default: "not valid JSON"
        }
    }
}

extension Violation {
    /// The member and the rule, as a part of a sentence.
    package var clause: String {
        let rule = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        let place = pointer.isEmpty ? "the document" : memberName(pointer)
        return "\(place): \(rule.prefix(1).lowercased())\(rule.dropFirst())"
    }
}
