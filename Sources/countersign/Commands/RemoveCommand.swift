import AuthenticationHandler
import CommandLineTool

/// Ends an account on this machine.
struct RemoveCommand: Command {
    static let name = "remove"
    static let summary = "End an account on this machine; it needs a new activation afterwards."

    static let account = Argument<Account>(help: "Which; countersign accounts shows them.")
    static let yes = Flag("yes", help: "Do not ask.")
    static let parameters: [any Parameter] = [account, yes, Session.vault]

    private let account: Account
    private let isConfirmed: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        account = try arguments[Self.account]
        isConfirmed = arguments[Self.yes]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let handler = try await Session(in: vault).handler
        try confirm(on: terminal)
        let deletion: Deletion
        do throws(AuthenticationError) {
            deletion = try await handler.deleteAccount(account)
        } catch {
            throw CommandFailure(error)
        }
        try terminal.output.print("removed \(account)")
        if case .localOnly(let error) = deletion {
            let reason = CommandFailure(error)
            throw CommandFailure(
                reason.exitCode,
                "the bank may still count this machine: \(reason.message)",
                hint: "tell the bank that it is to revoke it"
            )
        }
    }

    private func confirm(on terminal: Terminal) throws(CommandFailure) {
        guard !isConfirmed else { return }
        guard terminal.hasPerson else {
            throw CommandFailure(.usage, "there is no terminal to ask", hint: "say --yes")
        }
        guard try terminal.choice("Remove \(account)?", among: ["yes", "no"]) == "yes" else {
            throw CommandFailure(.refused, "nothing was removed")
        }
    }
}
