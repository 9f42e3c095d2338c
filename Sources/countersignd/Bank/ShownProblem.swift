import CommandLineTool
import StrictJSON

/// What of a problem document (RFC 9457) a command tells; members that it does not know are others'.
struct ShownProblem {
    let code: String
    private let title: String
    private let pointer: String?
    /// What belongs to its code alone.
    let particulars: String

    /// Nil where it is none.
    init?(_ document: [UInt8]) {
        // Whatever is wrong with it, it is no answer of a verifier.
        guard
            case .object(let members)? = try? JSONValue(reading: document, limits: .message),
            case .string(let code)? = members.value("code"),
            case .string(let title)? = members.value("title")
        else { return nil }
        self.code = code
        self.title = title
        pointer = members.text("pointer")
        particulars = Self.particulars(members)
    }

    private static func particulars(_ members: [JSONValue.Member]) -> String {
        if case .number(let left)? = members.value("attemptsLeft") {
            return left.text == "1" ? " (1 attempt left)" : " (\(left.text) attempts left)"
        }
        if case .number(let seconds)? = members.value("retryAfterSeconds") {
            return " (in \(seconds.text) s)"
        }
        return members.text("finalState").map { " (\($0))" } ?? ""
    }

    /// To follow the program's name; a pointer says which member it is, as the title has it said.
    var sentence: String {
        var title = title.hasSuffix(".") ? title.dropLast() : title[...]
        if let hint = title.lastIndex(of: ";"), title[hint...].hasPrefix("; pointer says") {
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
