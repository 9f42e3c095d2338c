import AuthenticationHandler
import CommandLineTool

/// Takes all accounts over to another PIN.
struct ChangePINCommand: Command {
    static let name = "change-pin"
    static let summary = "Change the PIN of all accounts."
    static let discussion = """
        Where it fails for an account, it is repeated with the same two PINs. With --pin-fd the old
        PIN is the first line, and the new one the second.
        """

    static let parameters: [any Parameter] = [SecretSource.descriptor, Session.vault]

    private let descriptor: OpenDescriptor?
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        descriptor = try arguments[SecretSource.descriptor]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        _ = try await session.accounts()
        let secrets = session.secrets(on: descriptor, or: terminal)
        let old = try secrets.pin("old PIN")
        let new = try secrets.newPIN()
        let changes: [PINChange]
        do throws(AuthenticationError) {
            changes = try await session.handler.changePIN(from: old, to: new)
        } catch {
            throw CommandFailure(error)
        }
        for change in changes where change.failure == nil {
            try terminal.output.print("changed \(change.account)")
        }
        if let left = changes.first(where: { $0.failure != nil }), let failure = left.failure {
            let reason = CommandFailure(failure)
            throw CommandFailure(
                reason.exitCode,
                "\(left.account) still has the old PIN: \(reason.message)",
                hint: "run countersign change-pin again, with the same two PINs"
            )
        }
    }
}
