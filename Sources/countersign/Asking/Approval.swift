import AuthenticationHandler
import CommandLineTool

/// A transaction that is shown, said yes to, and then approved by whoever proves that he may.
struct Approval {
    static let method = Option<Method?>("with", help: "How, where there are several ways.")

    let transaction: PendingTransaction
    let handler: AuthenticationHandler
    let secrets: SecretSource

    private var terminal: Terminal { secrets.terminal }
    private var proving: Proving { Proving(secrets: secrets) }

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
        case "approve": return try approval(by: offered(for: method))
        case "reject": return .cancel(.unspecified)
        default: return .undecided
        }
    }

    /// The same of one who said yes, and could not prove yet who he is.
    func approval(by types: [AuthenticationType]) throws(CommandFailure) -> UserDecision {
        let number = try typedNumber()
        return switch try proving.choose(among: types) {
        case .userPIN: .userPIN(try secrets.pin(), typedNumber: number)
        case .consent: .consent(typedNumber: number)
        case .biometric: .biometrics(typedNumber: number)
        }
    }

    private func offered(for method: Method?) -> [AuthenticationType] {
        method.map { [$0.type] } ?? transaction.authenticationTypes
    }

    private func show() throws(CommandFailure) {
        let page = TransactionPage(transaction: transaction)
        try terminal.messages.print(page.text(on: terminal.messages))
    }

    private func approve(
        by method: Method? = nil
    ) async throws(CommandFailure) -> AuthenticationType {
        var number = try typedNumber()
        return try await proving.prove(among: offered(for: method)) {
            type async throws(CommandFailure) in
            if number == nil { number = try typedNumber() }
            let failure = try await attempt(type, number)
            // It may as well have been the number that was wrong.
            if failure?.code == .authenticationFailed { number = nil }
            return failure.map { .failure($0) } ?? .success(type)
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
