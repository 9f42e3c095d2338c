import CommandLineTool

struct DisableCommand: CredentialCommand {
    static let name = "disable"
    static let summary = "Disable a credential until countersignd enable."
    static let discussion = """
        The verifier rejects its codes without counting them as failures. The other credentials of \
        the device stay active.

        \(EndpointOptions.discussion)
        """
    static let change = CredentialChange.disable
    static let outcome = "disabled"

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()
}
