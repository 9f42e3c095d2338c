import CommandLineTool
import TransactionApproval
import Verification

/// A credential as a command line names it.
struct HeldCredentialName: Sendable {
    private let account: AccountReference
    private let device: DeviceID
    private let kind: CredentialKind

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        account = try arguments[AccountReference.argument]
        device = try arguments[DeviceID.argument]
        kind = try arguments[CredentialKind.argument]
    }

    var path: String { account.path(of: kind, on: device) }
    var text: String { "the \(kind.rawValue) credential of \(device)" }
}
