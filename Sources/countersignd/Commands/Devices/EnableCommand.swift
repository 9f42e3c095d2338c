import CommandLineTool

struct EnableCommand: CredentialCommand {
    static let name = "enable"
    static let summary = "Enable a disabled credential."
    static let discussion = EndpointOptions.discussion
    static let outcome = "enabled"

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()

    func change(
        _ credential: CredentialPath,
        with client: BankAPIClient
    ) async throws(CommandFailure) {
        try await client.enable(credential)
    }
}
