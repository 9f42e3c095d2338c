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
            try await reportingFailures(
                on: terminal,
                try await handle(payload, in: session, at: terminal)
            )
        }
        throw try await session.endOfPushes()
    }

    /// Reports a failure, and throws only the failures that end the command.
    @discardableResult
    private func reportingFailures<Outcome>(
        on terminal: Terminal,
        _ body: @autoclosure () async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome? {
        do throws(CommandFailure) {
            return try await body()
        } catch {
            if [.interrupted, .inputOutput].contains(error.exitCode) { throw error }
            try terminal.messages.print(error)
            return nil
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
        let outcome = try await reportingFailures(on: terminal, try await approval.decide())
        guard let outcome, outcome != .undecided else {
            // An undecided request is not announced again.
            let command = "countersign approve \(transaction.id)"
            return try terminal.messages.print("If it is still pending: \(command)")
        }
        try terminal.output.print(outcome, on: transaction, inJSON: printsJSON)
    }
}
