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
            // It may have been decided elsewhere, and others may come.
            try await goingOn(at: terminal) { () throws(CommandFailure) in
                try await take(payload, in: session, at: terminal)
            }
        }
        throw try await session.endOfPushes()
    }

    /// Tells what went wrong, unless it is the end of the command too.
    private func goingOn(
        at terminal: Terminal,
        _ body: () async throws(CommandFailure) -> Void
    ) async throws(CommandFailure) {
        do throws(CommandFailure) {
            try await body()
        } catch {
            if [.interrupted, .inputOutput].contains(error.exitCode) { throw error }
            try terminal.messages.print(error)
        }
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
        var decision: DecisionMade?
        try await goingOn(at: terminal) { () throws(CommandFailure) in
            decision = try await approval.decide()
        }
        guard let decision else {
            // What is left, or had a wrong PIN, does not come again.
            let command = "countersign approve \(transaction.id)"
            return try terminal.messages.print("If it still waits: \(command)")
        }
        try terminal.output.print(decision, on: transaction, inJSON: printsJSON)
    }
}
