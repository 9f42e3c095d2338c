import CommandLineTool

/// What somebody should see to.
struct Finding: Encodable, Sendable {
    /// Where it is.
    let part: String
    let event: String
    let remedy: String

    init(_ part: Diagnostics.Part, _ event: String, _ remedy: String) {
        self.part = part.rawValue
        self.event = event
        self.remedy = remedy
    }

    init(_ part: Diagnostics.Part, _ failure: CommandFailure) {
        self.init(part, failure.message, failure.hint ?? "look into it")
    }
}
