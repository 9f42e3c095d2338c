import CommandLineTool

/// Switches a credential on again.
struct EnableCommand: CredentialCommand {
    static let name = "enable"
    static let summary = "Switch a credential on again that was switched off."
    static let discussion = APIEndpoint.discussion

    static let change = (method: APIRequest.Method.put, path: "/enabling")
    static let outcome = "on"

    let way: APIEndpoint
    let credential: HeldCredentialName
}
