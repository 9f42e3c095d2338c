import AuthenticationHandler
import CommandLineTool

struct RemoveCommand: Command {
    static let name = "remove"
    static let summary = "Remove an account from this machine."
    static let discussion = """
        The next use of the account needs a new activation.
        """

    @Argument(help: "The account, as countersign accounts shows it.") private var account: Account
    @Flag("yes", help: "Do not ask for confirmation.") private var isConfirmed: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await vault.openSession().handler
        try confirm(on: terminal)
        let deletion = try await reportingErrors(try await handler.deleteAccount(account))
        try terminal.output.print("removed \(account)")
        if case .localOnly(let error) = deletion {
            let reason = CommandFailure(error)
            throw CommandFailure(
                reason.exitCode,
                "the account may still list this machine: \(reason.message)",
                hint: "ask the bank to revoke this device"
            )
        }
    }

    private func confirm(on terminal: Terminal) throws(CommandFailure) {
        guard !isConfirmed else { return }
        guard terminal.isInteractive else {
            throw CommandFailure(.usage, "there is no terminal to confirm", hint: "use --yes")
        }
        guard try terminal.choice("Remove \(account)?", among: ["yes", "no"]) == "yes" else {
            throw CommandFailure(.refused, "the account was not removed")
        }
    }
}
