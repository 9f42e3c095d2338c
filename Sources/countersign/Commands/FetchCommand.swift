import AuthenticationHandler
import CommandLineTool
import PrivateFiles

struct FetchCommand: Command {
    static let name = "fetch"
    static var summary: String {
        localized(
            "Wait for one request, decide, and print the bank's return address.",
            german:
                "Wartet auf einen Auftrag und gibt nach der Entscheidung die Adresse der Bank aus."
        )
    }
    static var discussion: String {
        localized(
            """
            Shows the oldest pending request, or waits for the next one. You approve it, reject it
            or leave it for later. After the decision, the command prints the address at which the
            bank continues, if there is one. After a wrong PIN or a failed biometric check you can
            try again while attempts are left. A request with the reference of one that you have
            decided is not shown.

            If you leave a request for later, or if there is no terminal, the request remains
            pending. The command then prints nothing, and the exit code is 1.
            """,
            german: """
                Zeigt den ältesten offenen Auftrag oder wartet auf den nächsten. Sie geben ihn frei,
                lehnen ihn ab oder entscheiden später. Nach der Entscheidung gibt der Befehl die
                Adresse aus, an der es bei der Bank weitergeht, falls es eine gibt. Nach einer
                falschen PIN, oder wenn die Biometrie misslingt, können Sie es erneut versuchen,
                solange Versuche bleiben. Einen Auftrag mit der Referenz eines anderen, den Sie schon
                entschieden haben, zeigt der Befehl nicht.

                Entscheiden Sie später, oder gibt es kein Terminal, bleibt der Auftrag offen. Der
                Befehl gibt dann nichts aus, und der Rückgabewert ist 1.
                """
        )
    }

    @MethodOption private var method: Method?
    private let secrets = SecretOption()
    @JSONFlag private var printsJSON: Bool
    private let returning = ReturnOption()
    private let vault = VaultOption()

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let session = try await vault.openSession()
        let secrets = secrets.source(in: session, or: terminal)
        // Connects before the first fetch, so that no request is missed in between.
        let pushes = try await session.pushes()
        if let result = try await fetch(in: session, askingBy: secrets) {
            return try show(result, on: terminal)
        }
        if terminal.isInteractive { try terminal.messages.print(RequestSentences.waiting) }
        for await _ in pushes {
            if let result = try await fetch(in: session, askingBy: secrets) {
                return try show(result, on: terminal)
            }
        }
        throw try await session.endOfPushes()
    }

    /// Nil if no new request is pending.
    ///
    /// After a failed authentication, shows the same request again.
    private func fetch(
        in session: Session,
        askingBy secrets: SecretSource
    ) async throws(CommandFailure) -> ApprovalResult? {
        var retry: Retry?
        while true {
            let prompt = LockedValue(Prompt(retry: retry))
            let result: ApprovalResult?
            do throws(AuthenticationError) {
                defer { secrets.terminal.reportIfInterrupted(nil) }
                result = try await session.handler.decideNextTransaction { transaction in
                    let approval = session.approval(of: transaction, by: secrets)
                    return prompt.withLock { $0.decision(on: approval, with: method) }
                }
            } catch {
                guard let id = prompt.withLock({ $0.id }) else {
                    throw CommandFailure(ofReading: error)
                }
                guard let approved = prompt.withLock({ $0.approved }) else {
                    throw CommandFailure(error, deciding: id)
                }
                let authentication = Authentication(
                    secrets: secrets,
                    hasNumber: approved.hasNumber,
                    request: id
                )
                let types = try authentication.offer(after: error, of: approved.type)
                retry = Retry(id: id, types: types)
                continue
            }
            if let failure = prompt.withLock({ $0.failure }) { throw failure }
            return result
        }
    }

    private func show(_ result: ApprovalResult, on terminal: Terminal) throws(CommandFailure) {
        let id = result.transactionID
        let url = if case .url(let url) = result.redirect { url } else { String?.none }
        guard let shown = ShownDecision(result.outcome, on: id, returnURL: url) else {
            throw .undecided(id)
        }
        // A failed write is reported last: the return also belongs to the decision.
        let printing = Result { () throws(CommandFailure) in
            if printsJSON { return try terminal.output.print(json: shown) }
            if let sentence = result.outcome.sentence(about: id) {
                try terminal.messages.print(sentence)
            }
            if let url { try terminal.output.print(url) }
        }
        try returning.open(result.redirect, on: terminal)
        try printing.get()
    }
}

extension CommandFailure {
    fileprivate static func undecided(_ id: String) -> CommandFailure {
        CommandFailure(
            .refused,
            localized(
                "nothing was decided, and the request remains pending",
                german: "nichts wurde entschieden, und der Auftrag bleibt offen"
            ),
            hint: localized(
                "run countersign approve \(id), or countersign reject \(id)",
                german: "countersign approve \(id), oder countersign reject \(id)"
            )
        )
    }
}

/// An approval whose authentication failed, with the types that are left.
private struct Retry {
    let id: String
    let types: [AuthenticationType]
}

/// One prompt, and its result.
private struct Prompt {
    let retry: Retry?
    private(set) var failure: CommandFailure?
    /// The request that was shown.
    private(set) var id: String?
    private(set) var approved: (type: AuthenticationType, hasNumber: Bool)?

    init(retry: Retry?) { self.retry = retry }

    mutating func decision(on approval: Approval, with method: Method?) -> UserDecision {
        let id = approval.transaction.id
        self.id = id
        do throws(CommandFailure) {
            var type: AuthenticationType?
            let decision =
                if let retry, retry.id == id {
                    try approval.approval(with: retry.types, choosing: &type)
                } else {
                    try approval.ask(for: method, choosing: &type)
                }
            let hasNumber = approval.transaction.typedDigits != nil
            approved = type.map { ($0, hasNumber) }
            // The person can still leave the prompt for biometrics.
            if type != .biometric { approval.secrets.terminal.beginSending(decisionOn: id) }
            return decision
        } catch {
            failure = error
            return .undecided
        }
    }
}
