import AuthenticationHandler
import CommandLineTool

struct WatchCommand: Command {
    static let name = "watch"
    static var summary: String {
        localized(
            "Show requests as they arrive, and approve or reject them.",
            german: "Zeigt neue Aufträge sofort und fragt nach Ihrer Entscheidung."
        )
    }
    static var discussion: String {
        localized(
            """
            Shows the pending requests first, each with the time left. Type y to approve it, n to
            reject it, l to decide later or q to quit. A question ends if its request ended
            elsewhere. After l, a request is shown again when the bank announces it again: as a
            reminder, or to a new connection. Press Ctrl-C to end the command.

            It reports a lost connection and connects again. It also reports changes of your
            accounts, as countersign accounts --changes does. Without a terminal, it only shows each
            request once.
            """,
            german: """
                Zeigt zuerst die offenen Aufträge, jeden mit seiner Restzeit. Geben Sie j ein, um
                ihn freizugeben, n, um ihn abzulehnen, s, um später zu entscheiden, oder b, um zu
                beenden. Eine Frage endet, sobald ihr Auftrag anderswo endet. Nach s wird ein
                Auftrag wieder gezeigt, wenn die Bank ihn erneut meldet: zur Erinnerung oder bei
                einer neuen Verbindung. Strg-C beendet den Befehl.

                Er meldet eine verlorene Verbindung und verbindet sich neu. Er meldet auch
                Änderungen Ihrer Zugänge, wie countersign accounts --changes. Ohne Terminal zeigt er
                jeden Auftrag nur einmal.
                """
        )
    }

    @JSONFlag private var printsJSON: Bool
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let pushes = try await session.pushes { change in
            // A failed write ends the command at its next message: `try?`.
            try? terminal.note(WatchSentences.connection(change))
        }
        try showWaiting(on: terminal)
        var known: Set<AccountChange> = []
        let queue = NotificationQueue()
        for await payload in queue.notifications(among: pushes) {
            guard !AuthenticationHandler.announcesAccountChange(push: payload) else {
                // The next change has the same notification.
                queue.forget(payload)
                _ = try await reportingFailures(
                    on: terminal,
                    try await showChanges(of: session, except: &known, on: terminal)
                )
                continue
            }
            // One failed request does not end the command: it may have been decided elsewhere.
            let result = try await reportingFailures(
                on: terminal,
                try await handle(payload, in: session, at: terminal)
            )
            if result == .quit { return }
            if result?.isFinal != true { queue.forget(payload) }
            try showWaiting(on: terminal)
        }
        throw try await session.endOfPushes()
    }

    /// Shows each change once, the oldest first.
    private func showChanges(
        of session: Session,
        except known: inout Set<AccountChange>,
        on terminal: Terminal
    ) async throws(CommandFailure) {
        let found = try await reportingErrorsOfReading(try await session.handler.accountChanges())
        let new = found.changes.reversed().filter { known.insert($0).inserted }
        for change in new { try terminal.messages.print(change.line) }
        if !new.isEmpty { try terminal.messages.print(AccountChange.advice) }
        try found.reportFailures(on: terminal)
    }

    private func showWaiting(on terminal: Terminal) throws(CommandFailure) {
        if terminal.isInteractive { try terminal.messages.print(WatchSentences.waiting) }
    }

    /// Reports a failure, and throws only the failures that end the command.
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

    /// The request that a notification names; nil if it has ended, which is reported.
    private func request(
        _ payload: [UInt8],
        in session: Session,
        on terminal: Terminal
    ) async throws(CommandFailure) -> PendingTransaction? {
        do throws(AuthenticationError) {
            return try await session.handler.pendingTransaction(push: payload)
        } catch {
            let request = AuthenticationHandler.transactionID(push: payload)
            let failure = CommandFailure(ofReading: error).about(request)
            guard error.endsRequest else { throw failure }
            try terminal.messages.print(failure)
            return nil
        }
    }

    /// Shows the request, and prompts a person for the decision.
    private func handle(
        _ payload: [UInt8],
        in session: Session,
        at terminal: Terminal
    ) async throws(CommandFailure) -> WatchResult {
        guard let transaction = try await request(payload, in: session, on: terminal) else {
            return .ended
        }
        guard terminal.isInteractive else {
            try terminal.output.print(transaction, inJSON: printsJSON)
            return .shown
        }
        let secrets = SecretSource(
            descriptor: nil,
            terminal: terminal,
            askpass: session.settings.askpass
        )
        let approval = session.approval(of: transaction, by: secrets)
        let result =
            try await reportingFailures(on: terminal, try await approval.decide())
            ?? .outcome(.undecided)
        switch result {
        case .outcome(.undecided):
            try terminal.messages.print(WatchSentences.undecided(transaction))
        case .outcome(let outcome):
            try terminal.output.print(outcome, on: transaction, inJSON: printsJSON)
        case .shown, .ended, .quit: break
        }
        return result
    }
}
