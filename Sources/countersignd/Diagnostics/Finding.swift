import CommandLineTool

/// A problem that an operator must fix.
struct Finding: Encodable, Sendable {
    let part: String
    let problem: String
    let hint: String

    init(_ part: Diagnostics.Part, _ problem: String, hint: String) {
        self.part = part.rawValue
        self.problem = problem
        self.hint = hint
    }

    init(_ part: Diagnostics.Part, _ failure: CommandFailure) {
        self.init(part, failure.message, hint: failure.hint ?? "fix this problem first")
    }
}
