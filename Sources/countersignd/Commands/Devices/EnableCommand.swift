import CommandLineTool

struct EnableCommand: CredentialCommand {
    static let name = "enable"
    static let summary = "Enable a disabled credential."
    static let discussion = EndpointOptions.discussion
    static let change = CredentialChange.enable
    static let outcome = "enabled"

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()
}
