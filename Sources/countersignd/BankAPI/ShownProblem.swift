import CommandLineTool
import StrictJSON
import VerifierServer

/// The members of a problem document (RFC 9457) that a command shows; others are ignored.
struct ShownProblem {
    let code: String
    private let title: String
    private let pointer: String?
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
        pointer = problem["pointer"]?.text
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
