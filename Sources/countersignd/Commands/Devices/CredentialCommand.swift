import CommandLineTool
import TransactionApproval

/// A command that changes the state of a credential.
protocol CredentialCommand: BankCommand {
    /// The last part of the path, and its method.
    static var change: (method: APIRequest.Method, name: String) { get }
    /// The state after the change.
    static var outcome: String { get }

    var credential: CredentialArguments { get }
}

/// The arguments that name a credential.
struct CredentialArguments: Sendable {
    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: DeviceID.help) private var device: DeviceID
    @Argument(help: "The credential of the device.") private var kind: CredentialKind

    var path: String { "\(account.path(of: device))/credentials/\(kind.rawValue)" }
    var text: String { "The \(kind.rawValue) credential of \(device)" }
}

extension CredentialCommand {
    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let (method, name) = Self.change
        let path = "\(credential.path)/\(name)"
        try await client.send(APIRequest(method, path, of: "device or credential"))
        try terminal.output.print("\(credential.text) is \(Self.outcome).")
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

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()
}

struct DisableCommand: CredentialCommand {
    static let name = "disable"
    static let summary = "Disable a credential until countersignd enable."
    static let discussion = """
        The verifier rejects its codes without counting them as failures. The other credentials of \
        the device stay active.

        \(EndpointOptions.discussion)
        """
    static let change = (method: APIRequest.Method.delete, name: "enabling")
    static let outcome = "disabled"

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()
}

struct EnableCommand: CredentialCommand {
    static let name = "enable"
    static let summary = "Enable a disabled credential."
    static let discussion = EndpointOptions.discussion
    static let change = (method: APIRequest.Method.put, name: "enabling")
    static let outcome = "enabled, unless it is outdated"

    let credential = CredentialArguments()
    let endpoint = EndpointOptions()
}
