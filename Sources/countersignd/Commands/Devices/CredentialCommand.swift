import CommandLineTool
import TransactionApproval

/// A command that changes the state of credentials.
protocol CredentialCommand: BankCommand {
    associatedtype Credentials: CredentialArguments

    /// The last part of the path, and its method.
    static var change: (method: APIRequest.Method, name: String) { get }
    /// The state after the change.
    static var outcome: String { get }

    var credentials: Credentials { get }
}

/// The arguments that name credentials.
protocol CredentialArguments: Sendable {
    var path: String { get }
    /// The start of a sentence, with its verb.
    var text: String { get }
}

struct OneCredential: CredentialArguments {
    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: DeviceID.help) private var device: DeviceID
    @Argument(help: "The credential of the device.") private var kind: CredentialKind

    var path: String { "\(account.path(of: device))/credentials/\(kind.rawValue)" }
    var text: String { "The \(kind.rawValue) credential of \(device) is" }
}

struct OneOrAllCredentials: CredentialArguments {
    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: DeviceID.help) private var device: DeviceID
    @Argument(help: "The credential of the device. Default: all of them.")
    private var kind: CredentialKind?

    var path: String {
        account.path(of: device) + (kind.map { "/credentials/\($0.rawValue)" } ?? "")
    }

    var text: String {
        kind.map { "The \($0.rawValue) credential of \(device) is" }
            ?? "All credentials of \(device) are"
    }
}

extension CredentialCommand {
    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let (method, name) = Self.change
        let path = "\(credentials.path)/\(name)"
        try await client.send(APIRequest(method, path, of: "device or credential"))
        try terminal.output.print("\(credentials.text) \(Self.outcome).")
    }
}

struct UnlockCommand: CredentialCommand {
    static let name = "unlock"
    static let summary = "End a temporary lock of a credential early."
    static let discussion = """
        A permanent lock suspends the device: only a new activation helps. First verify that the \
        request comes from the person. countersignd account show prints the whole command for each \
        lock.

        \(EndpointOptions.discussion)
        """
    static let change = (method: APIRequest.Method.put, name: "unlocking")
    static let outcome = "unlocked, unless it is locked permanently"

    let credentials = OneCredential()
    let endpoint = EndpointOptions()
}

struct DisableCommand: CredentialCommand {
    static let name = "disable"
    static let summary = "Disable the credentials of a device until countersignd enable."
    static let discussion = """
        The verifier rejects codes of disabled credentials without counting them as failures. Without \
        credentials, a device can approve nothing and log in nowhere. It can still show and reject \
        pending transactions, so use countersignd revoke for a device that is gone.

        \(EndpointOptions.discussion)
        """
    static let change = (method: APIRequest.Method.delete, name: "enabling")
    static let outcome = "disabled"

    let credentials = OneOrAllCredentials()
    let endpoint = EndpointOptions()
}

struct EnableCommand: CredentialCommand {
    static let name = "enable"
    static let summary = "Enable disabled credentials of a device."
    static let discussion = EndpointOptions.discussion
    static let change = (method: APIRequest.Method.put, name: "enabling")
    static let outcome = "enabled, unless outdated"

    let credentials = OneOrAllCredentials()
    let endpoint = EndpointOptions()
}
