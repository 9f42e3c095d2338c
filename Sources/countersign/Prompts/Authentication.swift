import AuthenticationHandler
import CommandLineTool

/// Authenticates a person: by one type and, if that fails, by the types that are left.
struct Authentication {
    let secrets: SecretSource
    /// Whether the person also types the number that the bank shows.
    var hasNumber = false
    /// The request that it approves; nil if it is not an approval.
    var request: String?
    /// The account that the prompt for a PIN names, if the person could mean another one.
    var account: Account?

    private var terminal: Terminal { secrets.terminal }

    /// Repeats `attempt` until it succeeds or no type is left; without a person, there is one attempt.
    func run<Outcome: Sendable>(
        among types: [AuthenticationType],
        _ attempt:
            (AuthenticationType) async throws(CommandFailure) -> Result<
                Outcome, AuthenticationError
            >
    ) async throws(CommandFailure) -> Outcome {
        var offered = types
        while true {
            let type = try choose(among: offered)
            switch try await attempt(type) {
            case .success(let outcome): return outcome
            case .failure(let failure): offered = try offer(after: failure, of: type)
            }
        }
    }

    /// The only type, or the person's choice.
    func choose(
        among types: [AuthenticationType]
    ) throws(CommandFailure) -> AuthenticationType {
        guard let first = types.first else { throw CommandFailure(.authenticationTypeNotAllowed) }
        guard types.count > 1 else { return first }
        let methods = types.map { Method($0) }
        let question = RequestSentences.methodQuestion
        guard let chosen = try terminal.choice(question, among: methods.map { ($0.word, $0) })
        else { throw .severalMethods(methods) }
        return chosen.type
    }

    /// Prompts for the input of an authentication type.
    func method(_ type: AuthenticationType) throws(CommandFailure) -> AuthenticationMethod {
        switch type {
        case .userPIN: .pin(try pin())
        case .consent: .consent
        case .biometric: .biometrics
        }
    }

    func pin() throws(CommandFailure) -> PIN { try secrets.pin(of: account) }

    /// Reports the failure and returns the types that are left; throws the failure if there is none.
    func offer(
        after error: AuthenticationError,
        of type: AuthenticationType
    ) throws(CommandFailure) -> [AuthenticationType] {
        let wrong = WrongInput(type, withNumber: hasNumber)
        let failure = CommandFailure(error, provesWrong: wrong, deciding: request)
        let left = types(after: error, of: type)
        guard !left.isEmpty, terminal.isInteractive else { throw failure }
        if error.code == .authenticationFailed, let attempts = error.attemptsLeft {
            let event = CommandFailure(.refused, wrong.message).sentence
            let warning = wrong.sentence(attemptsLeft: attempts)
            let sentences = [event, warning, PINSentences.wayOut]
            try terminal.messages.print(sentences.joined(separator: " "))
        } else {
            try terminal.messages.print(failure.sentence)
        }
        // An attempt without input repeats only after this question, which can end the loop.
        if left.count == 1, !needsInput(left[0]) {
            guard try terminal.agrees(to: PINSentences.retry) else { throw failure }
        }
        return left
    }

    private func needsInput(_ type: AuthenticationType) -> Bool {
        switch type {
        case .userPIN: true
        case .consent: hasNumber
        case .biometric: false
        }
    }

    private func types(
        after error: AuthenticationError,
        of type: AuthenticationType
    ) -> [AuthenticationType] {
        if let offered = error.offeredTypes { return offered }
        // A second attempt with the same descriptor would be wrong again.
        guard error.code == .authenticationFailed, secrets.isInteractive else { return [] }
        return (error.attemptsLeft ?? 0) > 0 ? [type] : []
    }
}

extension CommandFailure {
    fileprivate static func severalMethods(_ methods: [Method]) -> CommandFailure {
        let options = methods.map { "--with \($0.rawValue)" }
        return CommandFailure(
            .usage,
            localized(
                "there are several authentication methods",
                german: "es gibt mehrere Arten der Bestätigung"
            ),
            hint: localized(
                "choose one by " + options.joined(separator: " or "),
                german: "wählen Sie mit " + options.joined(separator: " oder ")
            )
        )
    }
}
