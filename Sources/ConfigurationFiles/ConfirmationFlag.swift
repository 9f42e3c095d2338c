package import CommandLineTool

/// `--yes`, for commands that ask for a confirmation.
@propertyWrapper
package struct ConfirmationFlag: Sendable {
    @Flag("yes", help: "Do not ask for confirmation.") package var wrappedValue: Bool

    package init() {}
}

extension Terminal {
    /// Continues only if a person confirms the question, or did so with --yes.
    package func confirm(_ question: String, isConfirmed: Bool) throws(CommandFailure) {
        guard !isConfirmed else { return }
        try confirm(question, refusal: "nothing was changed", hint: "confirm with --yes")
    }

    package func confirm(
        _ question: String,
        refusal: String,
        hint: String
    ) throws(CommandFailure) {
        switch try confirms(question) {
        case true?: return
        case false?: throw CommandFailure(.refused, refusal)
        case nil:
            throw CommandFailure(
                .usage,
                "the command needs a confirmation, but has no terminal to ask for it",
                hint: hint
            )
        }
    }
}
