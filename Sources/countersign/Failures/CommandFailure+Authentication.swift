import AuthenticationHandler
import CommandLineTool
import FailureTranslation

/// Translates the library's errors: the only place besides operations that consume a PIN.
func reportingErrors<Result: ~Copyable>(
    _ body: @autoclosure () async throws(AuthenticationError) -> Result
) async throws(CommandFailure) -> Result {
    try await translatingAsync(await body()) { (error: AuthenticationError) in CommandFailure(error)
    }
}

extension CommandFailure {
    init(_ error: AuthenticationError) {
        if let rule = error.brokenRule {
            self.init(rule)
        } else {
            self.init(error.code, error.details)
        }
    }

    /// The same, in the words of an authentication with this input.
    init(_ error: AuthenticationError, provesWrong input: WrongInput) {
        switch (error.code, input) {
        case (.authenticationFailed, _):
            let hint = input.hint(attemptsLeft: error.attemptsLeft)
            self.init(.refused, input.message + error.details, hint: hint)
        case (.credentialLocked, .pin), (.credentialLocked, .pinOrNumber):
            let locked = CommandFailure(error)
            let message = "the PIN is locked after too many failures" + error.details
            self.init(locked.exitCode, message, hint: locked.hint)
        default: self.init(error)
        }
    }

    /// The message as a sentence of its own.
    var sentence: String { "\(message.prefix(1).uppercased())\(message.dropFirst())." }

    init(_ code: ErrorCode, _ details: String = "") {
        let (event, remedy) = code.eventAndRemedy
        self.init(ExitCode(code), event + details, hint: remedy)
    }
}

extension ExitCode {
    fileprivate init(_ code: ErrorCode) {
        self =
            switch code {
            case .noPendingTransaction, .unknownTransaction: .nothingPending
            case .accountAlreadyActivated, .activationCodeInvalid, .activationCodeExpired,
                .transactionExpired, .transactionAlreadyDecided, .transactionNotDisplayable,
                .returnURLRefused, .authenticationFailed, .authenticationTypeNotAllowed, .pinPolicy,
                .pinCannotBeDisabled, .biometricUnavailable, .biometricNotEnabled,
                .biometricFailed, .biometricCancelled, .upgradeRequired:
                .refused
            case .signingDataMissing, .invalidArgument: .usage
            case .pushMismatch, .vaultDamaged: .malformedInput
            case .noAccountActivated, .deviceSecretMissing: .noInput
            case .networkUnavailable, .serverUnavailable: .serverUnavailable
            case .vaultUnavailable: .inputOutput
            case .activationAttemptsExhausted, .counterOutOfStep, .clockSkew, .rateLimited,
                .vaultLocked:
                .tryLater
            case .serverUntrusted: .untrustedResponse
            case .deviceRevoked, .credentialLocked, .biometricLockedOut: .noPermission
            }
    }
}

extension ErrorCode {
    /// The two halves of the support sentence, for message and hint.
    fileprivate var eventAndRemedy: (event: String, remedy: String?) {
        let halves = supportSentence.dropLast().split(separator: ";", maxSplits: 1)
        let event = halves[0].prefix(1).lowercased() + halves[0].dropFirst()
        // A space follows the semicolon.
        return (event, halves.count > 1 ? String(halves[1].dropFirst()) : nil)
    }
}

extension AuthenticationError {
    /// The details that the error has besides its code.
    fileprivate var details: String {
        if let attemptsLeft { return " (\(counted(attemptsLeft, "attempt")) left)" }
        if concernsVault, !cause.isEmpty { return " (\(cause))" }
        if let trustFailure { return " (\(trustFailure.reason))" }
        if let retryAfter { return " (in \(counted(retryAfter.components.seconds, "second")))" }
        return switch lock {
        case .until(let end): " (for \(remainingTime(until: end)))"
        case .never: " (permanently)"
        case nil: ""
        }
    }

    private var concernsVault: Bool {
        [.vaultDamaged, .vaultLocked, .vaultUnavailable, .deviceSecretMissing].contains(code)
    }
}

extension TrustFailure {
    fileprivate var reason: String {
        switch self {
        case .connection: "the server's certificate or key is not trusted; nothing was sent"
        case .response: "the response is not signed by the bank"
        case .invitation: "the address names a server that is not trusted; nothing was sent"
        }
    }
}
