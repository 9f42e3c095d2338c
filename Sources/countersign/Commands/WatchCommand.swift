import AuthenticationHandler
import CommandLineTool

struct WatchCommand: Command {
    static let name = "watch"
    static let summary = "Show requests as they arrive, and approve or reject them."
    static let discussion = """
        Shows the pending requests first. It reconnects after a lost connection; press Ctrl-C to end
        it. Without a terminal, it only shows requests.
        """

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        for await payload in try await session.pushes() {
            // One failed request does not end the command: it may have been decided elsewhere.
            try await reportingFailures(on: terminal) { () throws(CommandFailure) in
                try await handle(payload, in: session, at: terminal)
            }
        }
        throw try await session.endOfPushes()
    }

    /// Reports a failure, and throws only the failures that end the command.
    private func reportingFailures(
        on terminal: Terminal,
        _ body: () async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        do throws(CommandFailure) {
            try await body()
        } catch {
            if [.interrupted, .inputOutput].contains(error.exitCode) { throw error }
            try terminal.messages.print(error)
        }
    }

    private func handle(
        _ payload: [UInt8],
        in session: Session,
        at terminal: Terminal
    ) async throws(CommandFailure) {
        let transaction = try await session.pending(push: payload)
        guard terminal.isInteractive else {
            return try terminal.output.print(transaction, inJSON: printsJSON)
        }
        let secrets = SecretSource(
            descriptor: nil,
            terminal: terminal,
            askpass: session.settings.askpass
        )
        let approval = session.approval(of: transaction, by: secrets)
        var decision: Decision?
        try await reportingFailures(on: terminal) { () throws(CommandFailure) in
            decision = try await approval.decide()
        }
        guard let decision else {
            // An undecided request is not announced again.
            let command = "countersign approve \(transaction.id)"
            return try terminal.messages.print("If it is still pending: \(command)")
        }
        try terminal.output.print(decision, on: transaction, inJSON: printsJSON)
    }
}
