import CommandLineTool
import StrictJSON
import VerifierServer

/// The members of a problem document (RFC 9457) that a command shows; others are ignored.
struct ShownProblem {
    let code: String
    private let title: String
    private let violations: [Violation]
    /// Details that only this code has, in parentheses.
    let details: String

    /// Nil if the document is not a problem of a verifier.
    init?(_ document: [UInt8]) {
        // The kind of error does not matter: a verifier did not write it.
        guard
            let problem = try? JSONValue(reading: document, limits: .message),
            let code = problem["code"]?.text, let title = problem["title"]?.text
        else { return nil }
        self.code = code
        self.title = title
        violations = (problem["errors"]?.elements ?? []).compactMap { Violation($0) }
        details = Self.details(problem)
    }

    private static func details(_ problem: JSONValue) -> String {
        if case .number(let left)? = problem["attemptsLeft"] {
            return left.text == "1" ? " (1 attempt left)" : " (\(left.text) attempts left)"
        }
        if case .number(let seconds)? = problem["retryAfterSeconds"] {
            return " (in \(seconds.text) s)"
        }
        return problem["finalState"]?.text.map { " (\($0))" } ?? ""
    }

    /// The title and each violation; they replace the title's reference to them.
    var sentence: String {
        var title = title.hasSuffix(".") ? title.dropLast() : title[...]
        if let hint = title.lastIndex(of: ";"), title[hint...].hasPrefix("; errors") {
            title = title[..<hint]
        }
        let list = violations.map(\.clause).joined(separator: "; ")
        return title.prefix(1).lowercased() + title.dropFirst() + (list.isEmpty ? "" : ": " + list)
    }
}

extension Violation {
    fileprivate init?(_ error: JSONValue) {
        guard
            let pointer = error["pointer"]?.text, let rule = error["rule"]?.text,
            let detail = error["detail"]?.text
        else { return nil }
        self.init(pointer, Rule(rawValue: rule), value: error["value"]?.text, detail)
    }
}
