package import StrictJSON

extension StrictJSON.Failure {
    /// The error in a document, for its author.
    package func reason(in bytes: [UInt8]) -> String {
        switch self {
        case .malformed(.repeatedName, _):
            let member = JSONValue.repeatedMember(in: bytes).map { " \($0)" } ?? ""
            return localized(
                "the member\(member) is repeated",
                german: "das Feld\(member) ist doppelt"
            )
        case .malformed(let kind, let offset):
            let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
            return localized(
                "line \(line): \(kind.reason)",
                german: "Zeile \(line): \(kind.reason)"
            )
        case .mismatch(.unknownContent(let number), let pointer):
            let name = JSONValue.name(ofMember: number, at: pointer, in: bytes)
            let member = name.map { memberName(pointer + "/" + $0) } ?? memberName(pointer)
            return localized(
                "the member \(member) is unknown",
                german: "das Feld \(member) ist unbekannt"
            )
        case .mismatch(.missing, let pointer):
            let member = memberName(pointer)
            return localized("the member \(member) is missing", german: "das Feld \(member) fehlt")
        case .mismatch(.wrongType, let pointer), .mismatch(.refused, let pointer):
            let member = memberName(pointer)
            let place =
                pointer.isEmpty
                ? localized("the document", german: "das Dokument")
                : localized("the member \(member)", german: "das Feld \(member)")
            return localized(
                "\(place) has the wrong type or value",
                german: "\(place) hat den falschen Typ oder Wert"
            )
        }
    }
}

/// A JSON pointer in the usual notation: `requiredFields[0].labels`.
func memberName(_ pointer: String) -> String {
    pointer.split(separator: "/").reduce("") { path, step in
        if Int(step) != nil { return path + "[\(step)]" }
        return path.isEmpty ? String(step) : "\(path).\(step)"
    }
}

extension JSONValue {
    /// The first member that an object has twice: `server.issuer`.
    fileprivate static func repeatedMember(in bytes: [UInt8]) -> String? {
        // The document is refused in any case: `try?`.
        let found = try? JSONValue.reading(bytes, limits: .message)
        return found?.repeatedMembers.first?.path.joined(separator: ".")
    }

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
        case .repeatedName: localized("a member is repeated", german: "ein Feld ist doppelt")
        case .tooLarge, .tooDeep, .tooManyValues:
            localized(
                "the document is too large or too deep",
                german: "das Dokument ist zu groß oder zu tief verschachtelt"
            )
        case .unexpectedEnd:
            localized("the document ends too early", german: "das Dokument endet zu früh")
        default: localized("not valid JSON", german: "kein gültiges JSON")
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
