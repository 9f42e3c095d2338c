import CommandLineTool

/// A problem that an operator must fix.
struct Finding: Encodable, Sendable {
    enum Level: String, Encodable {
        case error
        /// The verifier works, and the problem can wait for some time.
        case warning
    }

    let part: String
    let level: Level
    let problem: String
    let hint: String

    init(_ area: Diagnostics.Area, _ problem: String, hint: String) {
        self.init(area, .error, problem, hint)
    }

    init(_ area: Diagnostics.Area, _ failure: CommandFailure) {
        self.init(area, failure.message, hint: failure.hint ?? "fix this problem first")
    }

    init(warning area: Diagnostics.Area, _ problem: String, hint: String) {
        self.init(area, .warning, problem, hint)
    }

    private init(_ area: Diagnostics.Area, _ level: Level, _ problem: String, _ hint: String) {
        (part, self.level, self.problem, self.hint) = (area.rawValue, level, problem, hint)
    }
}
