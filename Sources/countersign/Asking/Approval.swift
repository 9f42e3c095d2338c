import AuthenticationHandler
import CommandLineTool

/// A transaction that is shown, said yes to, and then approved by whoever proves that he may.
struct Approval {
    static let method = Option<Method?>("with", help: "How, where there are several ways.")

    let transaction: PendingTransaction
    let handler: AuthenticationHandler
    let secrets: SecretSource

    private var terminal: Terminal { secrets.terminal }

    /// Throws where nobody could say yes.
    static func checkPerson(at terminal: Terminal) throws(CommandFailure) {
        guard terminal.hasPerson else {
            throw CommandFailure(
                .usage,
                "there is no terminal to ask whether the request is right",
                hint: "look at it with countersign show, and then name it and say --yes"
            )
        }
    }

    /// Approves by `method`, or by what the person chooses; tells by what.
    func run(
        with method: Method?,
        isConfirmed: Bool = false
    ) async throws(CommandFailure) -> AuthenticationType {
        try show()
        if !isConfirmed { try confirm() }
        return try await approve(by: method)
    }

    /// Has a person say what is to become of it; nil where that is left for later.
    func decide() async throws(CommandFailure) -> DecisionMade? {
        try show()
        switch try terminal.choice("What now?", among: ["approve", "reject", "later"]) {
        case "approve": return .approved(try await approve())
        case "reject":
            let reason = RejectionReason.unspecified
            do throws(AuthenticationError) {
                try await handler.cancelTransaction(transaction, reason: reason)
            } catch {
                throw CommandFailure(error)
            }
            return .rejected(reason)
        default: return nil
        }
    }

    /// Has a person say what is to become of it, and prove who he is, for the library to send; left
    /// undecided where nobody answers.
    func ask(for method: Method?) throws(CommandFailure) -> UserDecision {
        try show()
        switch try terminal.choice("What now?", among: ["approve", "reject", "later"]) {
        case "approve":
            let number = try typedNumber()
            let offered = method.map { [$0.type] } ?? transaction.authenticationTypes
            switch try choose(among: offered) {
            case .userPIN: return .userPIN(try secrets.pin(), typedNumber: number)
            case .consent: return .consent(typedNumber: number)
            case .biometric: return .biometrics(typedNumber: number)
            }
        case "reject": return .cancel(.unspecified)
        default: return .undecided
        }
    }

    private func show() throws(CommandFailure) {
        let page = TransactionPage(transaction: transaction)
        try terminal.messages.print(page.text(on: terminal.messages))
    }

    private func approve(
        by method: Method? = nil
    ) async throws(CommandFailure) -> AuthenticationType {
        let number = try typedNumber()
        var offered = method.map { [$0.type] } ?? transaction.authenticationTypes
        while true {
            let type = try choose(among: offered)
            guard let failure = try await attempt(type, number) else { return type }
            // Whoever is not recognised is offered what is left.
            guard let left = failure.offeredTypes, !left.isEmpty, terminal.hasPerson else {
                throw CommandFailure(failure)
            }
            try terminal.messages.print(failure.description)
            offered = left
        }
    }

    private func confirm() throws(CommandFailure) {
        guard try terminal.choice("Approve this?", among: ["yes", "no"]) == "yes" else {
            throw CommandFailure(
                .refused,
                "nothing was decided",
                hint: "countersign reject tells the bank that you refuse"
            )
        }
    }

    private func typedNumber() throws(CommandFailure) -> String? {
        guard let digits = transaction.typedDigits else { return nil }
        while let typed = try terminal.answer(to: "The number of \(digits) digits at the bank:") {
            if typed.utf8.count == digits, typed.allSatisfy({ "0"..."9" ~= $0 }) { return typed }
        }
        throw CommandFailure(
            .usage,
            "the number that the bank shows must be typed",
            hint: "approve this request at a terminal"
        )
    }

    private func choose(
        among types: [AuthenticationType]
    ) throws(CommandFailure) -> AuthenticationType {
        guard let first = types.first else { throw CommandFailure(.authenticationTypeNotAllowed) }
        guard types.count > 1 else { return first }
        let words = types.map { Method($0).rawValue }
        let chosen = try terminal.choice("How?", among: words).flatMap { Method(rawValue: $0) }
        guard let chosen else {
            throw CommandFailure(
                .usage,
                "there are several ways to approve this, and none was chosen",
                hint: "choose one by --with " + words.joined(separator: " or --with ")
            )
        }
        return chosen.type
    }

    /// Why it failed; nil where it is approved.
    private func attempt(
        _ type: AuthenticationType,
        _ number: String?
    ) async throws(CommandFailure) -> AuthenticationError? {
        guard type != .userPIN else { return try await attemptByPIN(number) }
        do throws(AuthenticationError) {
            if type == .consent {
                try await handler.authenticateUsingConsent(transaction, typedNumber: number)
            } else {
                try await handler.authenticateUsingBiometrics(transaction, typedNumber: number)
            }
            return nil
        } catch {
            return error
        }
    }

    private func attemptByPIN(
        _ number: String?
    ) async throws(CommandFailure) -> AuthenticationError? {
        let pin = try secrets.pin()
        do throws(AuthenticationError) {
            try await handler.authenticateUsingUserPIN(transaction, pin: pin, typedNumber: number)
            return nil
        } catch {
            return error
        }
    }
}
