import AuthenticationHandler
import CommandLineTool

/// Stays connected, and shows each transaction as it begins to wait.
struct WatchCommand: Command {
    static let name = "watch"
    static let summary = "Show requests as they come, and approve or reject them."
    static let discussion = """
        First come those that wait already. A connection that is lost is made anew, and Ctrl-C ends
        it. Without a terminal requests are only shown.
        """

    static let parameters: [any Parameter] = [Flag.json, Session.vault]

    private let printsJSON: Bool
    private let vault: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        printsJSON = arguments[.json]
        vault = try arguments[Session.vault]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await Session(in: vault)
        for await payload in try await session.pushes() {
            do throws(CommandFailure) {
                try await take(payload, in: session, at: terminal)
            } catch  where ![.interrupted, .inputOutput].contains(error.exitCode) {
                // It was decided elsewhere, say, or its PIN was wrong: others may come.
                try terminal.messages.print(error.message)
            } catch {
                throw error
            }
        }
        throw try await session.endOfPushes()
    }

    private func take(
        _ payload: [UInt8],
        in session: Session,
        at terminal: Terminal
    ) async throws(CommandFailure) {
        let transaction = try await session.pending(push: payload)
        guard terminal.hasPerson else {
            return try terminal.output.print(transaction, inJSON: printsJSON)
        }
        let approval = Approval(
            transaction: transaction,
            handler: session.handler,
            secrets: session.secrets(on: nil, or: terminal)
        )
        guard let decision = try await approval.decide() else { return }
        try terminal.output.print(decision, on: transaction, inJSON: printsJSON)
    }
}
