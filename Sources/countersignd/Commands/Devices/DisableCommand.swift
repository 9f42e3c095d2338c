import CommandLineTool

/// Switches a credential off.
struct DisableCommand: CredentialCommand {
    static let name = "disable"
    static let summary = "Switch a credential off until countersignd enable."
    static let discussion = """
        Its codes are refused, and none of them is charged. The device's other credentials go on.

        \(APIEndpoint.discussion)
        """

    static let change = (method: APIRequest.Method.delete, path: "/enabling")
    static let outcome = "off"

    let way: APIEndpoint
    let credential: HeldCredentialName
}
