import CommandLineTool
import StrictJSON

/// The members of a problem document (RFC 9457) that a command shows; others are ignored.
struct ShownProblem {
    let code: String
    private let title: String
    private let pointer: String?
    /// Details that only this code has, in parentheses.
    let details: String

    /// Nil if the document is not a problem of a verifier.
    init?(_ document: [UInt8]) {
        // The kind of fault does not matter: a verifier did not write it.
        guard
            case .object(let members)? = try? JSONValue(reading: document, limits: .message),
            case .string(let code)? = members.value("code"),
            case .string(let title)? = members.value("title")
        else { return nil }
        self.code = code
        self.title = title
        pointer = members.text("pointer")
        details = Self.details(members)
    }

    private static func details(_ members: [JSONValue.Member]) -> String {
        if case .number(let left)? = members.value("attemptsLeft") {
            return left.text == "1" ? " (1 attempt left)" : " (\(left.text) attempts left)"
        }
        if case .number(let seconds)? = members.value("retryAfterSeconds") {
            return " (in \(seconds.text) s)"
        }
        return members.text("finalState").map { " (\($0))" } ?? ""
    }

    /// The title and the member; the member replaces the title's reference to the pointer.
    var sentence: String {
        var title = title.hasSuffix(".") ? title.dropLast() : title[...]
        if let hint = title.lastIndex(of: ";"), title[hint...].hasPrefix("; pointer") {
            title = title[..<hint]
        }
        let place = pointer.map { memberName($0) }.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
        return title.prefix(1).lowercased() + title.dropFirst() + place
    }
}

extension [JSONValue.Member] {
    fileprivate func value(_ name: String) -> JSONValue? { first { $0.name == name }?.value }

    fileprivate func text(_ name: String) -> String? {
        guard case .string(let text)? = value(name) else { return nil }
        return text
    }
}
