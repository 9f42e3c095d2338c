import AuthenticationHandler
import CommandLineTool

struct ChangePINCommand: Command {
    static let name = "change-pin"
    static let summary = "Change the PIN of all accounts."
    static let discussion = """
        If the change fails for an account, run the command again with the same two PINs. With
        --pin-fd, the old PIN is the first line and the new PIN is the second line.
        """

    private let secrets = SecretOption()
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        _ = try await session.accounts()
        let secrets = secrets.source(in: session, or: terminal)
        let old = try secrets.pin("old PIN")
        let new = try await secrets.newPIN { pin throws(AuthenticationError) in
            try await session.handler.checkNewPIN(pin)
        }
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
                hint: "run countersign change-pin again with the same two PINs"
            )
        }
    }
}
