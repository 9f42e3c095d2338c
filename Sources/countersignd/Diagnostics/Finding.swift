import CommandLineTool

/// A problem that an operator must fix.
struct Finding: Encodable, Sendable {
    let part: String
    let problem: String
    let hint: String

    init(_ area: Diagnostics.Area, _ problem: String, hint: String) {
        part = area.rawValue
        self.problem = problem
        self.hint = hint
    }

    init(_ area: Diagnostics.Area, _ failure: CommandFailure) {
        self.init(area, failure.message, hint: failure.hint ?? "fix this problem first")
    }
}
