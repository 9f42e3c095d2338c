import CommandLineTool

/// `--yes`, for commands that ask for a confirmation.
@propertyWrapper
struct ConfirmationFlag: Sendable {
    @Flag("yes", help: "Do not ask for confirmation.") var wrappedValue: Bool

    init() {}
}

extension Terminal {
    /// Continues only if a person confirms the question, or did so with --yes.
    func confirm(_ question: String, isConfirmed: Bool) throws(CommandFailure) {
        guard !isConfirmed else { return }
        switch try confirms(question) {
        case true?: return
        case false?: throw CommandFailure(.refused, "nothing was changed")
        case nil:
            throw CommandFailure(
                .usage,
                "the command needs a confirmation, but has no terminal to ask for it",
                hint: "confirm with --yes"
            )
        }
    }
}
