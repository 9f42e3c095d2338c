import CommandLineTool

struct UnlockCommand: CredentialCommand {
    static let name = "unlock"
    static let summary = "End a temporary lock of a credential early."
    static let discussion = """
        A permanent lock suspends the device: only a new activation helps. First verify that the \
        request comes from the person.

        \(EndpointOptions.discussion)
        """
    static let change = CredentialChange.unlock
    static let outcome = "unlocked, unless it is locked permanently"

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()
}
