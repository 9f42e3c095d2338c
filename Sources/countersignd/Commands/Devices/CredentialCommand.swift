import CommandLineTool
import TransactionApproval

/// A command that changes the state of a credential.
protocol CredentialCommand: BankCommand {
    static var change: CredentialChange { get }
    /// The state after the change.
    static var outcome: String { get }

    var credential: CredentialArguments { get }
}

/// The arguments that name a credential.
struct CredentialArguments: Sendable {
    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: DeviceID.help) private var device: DeviceID
    @Argument(help: "The credential of the device.") private var kind: CredentialKind

    var path: CredentialPath { CredentialPath(account: account, device: device, kind: kind) }
    var text: String { "The \(kind.rawValue) credential of \(device)" }
}

extension CredentialCommand {
    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        try await client.change(credential.path, Self.change)
        try terminal.output.print("\(credential.text) is \(Self.outcome).")
    }
}
