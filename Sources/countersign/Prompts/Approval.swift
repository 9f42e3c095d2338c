import AuthenticationHandler
import CommandLineTool

/// Shows a request, prompts for a decision, and authenticates the person.
struct Approval {
    let transaction: PendingTransaction
    let handler: AuthenticationHandler
    let secrets: SecretSource

    private var terminal: Terminal { secrets.terminal }
    private var authentication: Authentication {
        Authentication(
            secrets: secrets,
            hasNumber: transaction.typedDigits != nil,
            request: transaction.id
        )
    }

    /// Throws if no person can confirm.
    static func checkPerson(at terminal: Terminal) throws(CommandFailure) {
        guard terminal.isInteractive else {
            throw CommandFailure(
                .usage,
                localized(
                    "there is no terminal to confirm the request",
                    german: "es gibt kein Terminal, um den Auftrag zu bestätigen"
                ),
                hint: localized(
                    "check it with countersign show, then approve its ID with --yes",
                    german: "prüfen Sie ihn mit countersign show, dann countersign approve ID --yes"
                )
            )
        }
    }

    /// Approves with `method`, or with the method that the person chooses; returns its type.
    func run(
        with method: Method?,
        isConfirmed: Bool = false
    ) async throws(CommandFailure) -> AuthenticationType {
        try show()
        if !isConfirmed { try confirm() }
        return try await approve(with: method)
    }

    /// Approves or rejects by the person's decision, as long as the request is pending.
    func decide() async throws(CommandFailure) -> WatchResult {
        try show()
        switch try await WatchQuestion(transaction, handler, terminal).decision() {
        case .approve: return .outcome(.approved(try await approve()))
        case .reject:
            try await reportingErrors(
                deciding: transaction.id,
                at: terminal,
                try await handler.reject(transaction)
            )
            return .outcome(.rejected(.unspecified))
        case .later: return .outcome(.undecided)
        case .quit: return .quit
        case .ended: return .ended
        }
    }

    /// Prompts for a decision that the library then sends; undecided without a response.
    func ask(
        for method: Method?,
        choosing type: inout AuthenticationType?
    ) throws(CommandFailure) -> UserDecision {
        try show()
        switch try askForDecision() {
        case .approve: return try approval(with: offered(for: method), choosing: &type)
        case .reject: return .reject(.unspecified)
        default: return .undecided
        }
    }

    /// Prompts for the authentication of an approval.
    func approval(
        with types: [AuthenticationType],
        choosing type: inout AuthenticationType?
    ) throws(CommandFailure) -> UserDecision {
        let number = try typedNumber()
        let chosen = try authentication.choose(among: types)
        let method = try authentication.method(chosen)
        type = chosen
        return .approve(with: method, typedNumber: number)
    }

    private func askForDecision() throws(CommandFailure) -> PromptedDecision? {
        let question = RequestSentences.approval(of: transaction)
        return try terminal.choice(question, among: PromptedDecision.words)
    }

    private func offered(for method: Method?) -> [AuthenticationType] {
        method.map { [$0.type] } ?? transaction.authenticationTypes
    }

    private func show() throws(CommandFailure) {
        let page = TransactionPage(transaction: transaction)
        // The page breaks its lines itself.
        try terminal.messages.write(page.text(on: terminal.messages) + "\n")
    }

    private func approve(
        with method: Method? = nil
    ) async throws(CommandFailure) -> AuthenticationType {
        var number = try typedNumber()
        return try await authentication.run(among: offered(for: method)) {
            type async throws(CommandFailure) in
            if number == nil { number = try typedNumber() }
            let method = try authentication.method(type)
            // The person can still leave the prompt for biometrics.
            if type != .biometric { terminal.beginSending(decisionOn: transaction.id) }
            defer { terminal.reportIfInterrupted(nil) }
            do throws(AuthenticationError) {
                try await handler.approve(transaction, with: method, typedNumber: number)
                return .success(type)
            } catch {
                // The typed number may be the cause, so the person types it again.
                if error.code == .authenticationFailed { number = nil }
                return .failure(error)
            }
        }
    }

    private func confirm() throws(CommandFailure) {
        let question = RequestSentences.approval(of: transaction)
        guard try terminal.agrees(to: question) else {
            throw CommandFailure(
                .refused,
                localized("nothing was decided", german: "nichts wurde entschieden"),
                hint: localized(
                    "run countersign reject to reject the request",
                    german: "countersign reject lehnt den Auftrag ab"
                )
            )
        }
    }

    private func typedNumber() throws(CommandFailure) -> String? {
        guard let digits = transaction.typedDigits else { return nil }
        let question = RequestSentences.numberQuestion(digits)
        while let typed = try terminal.response(to: question) {
            if transaction.isTypedNumber(typed) { return typed }
        }
        throw CommandFailure(
            .usage,
            localized(
                "you must type the number that the bank shows",
                german: "Sie müssen die Zahl eingeben, die die Bank zeigt"
            ),
            hint: localized(
                "approve this request at a terminal",
                german: "geben Sie diesen Auftrag an einem Terminal frei"
            )
        )
    }
}
