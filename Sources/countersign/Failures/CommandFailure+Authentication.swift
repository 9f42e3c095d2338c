import AuthenticationHandler
import CommandLineTool

extension CommandFailure {
    /// The one table of what a failure of the library ends a command with.
    init(_ error: AuthenticationError) {
        self.init(error.code, error.particulars)
    }

    init(_ code: ErrorCode, _ particulars: String = "") {
        let (event, remedy) = code.eventAndRemedy
        self.init(ExitCode(code), event + particulars, hint: remedy)
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
                .biometricFailed, .biometricCancelled:
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
    /// The two halves of its sentence, each as a report has it.
    fileprivate var eventAndRemedy: (event: String, remedy: String?) {
        let halves = supportSentence.dropLast().split(separator: ";", maxSplits: 1)
        let event = halves[0].prefix(1).lowercased() + halves[0].dropFirst()
        // The second one follows a space.
        return (event, halves.count > 1 ? String(halves[1].dropFirst()) : nil)
    }
}

extension AuthenticationError {
    /// What is known besides the code.
    fileprivate var particulars: String {
        if let attemptsLeft { return " (\(counted(attemptsLeft, "attempt")) left)" }
        if isOfVault, !cause.isEmpty { return " (\(cause))" }
        if let brokenRule { return " (\(brokenRule.reason))" }
        if let distrust { return " (\(distrust.reason))" }
        if let retryAfter { return " (in \(counted(retryAfter.components.seconds, "second")))" }
        return switch lock {
        case .until(let end): " (for \(remainingTime(until: end)))"
        case .never: " (for good)"
        case nil: ""
        }
    }
}

extension AuthenticationError {
    private var isOfVault: Bool {
        [.vaultDamaged, .vaultLocked, .vaultUnavailable, .deviceSecretMissing].contains(code)
    }
}

extension TrustFailure {
    fileprivate var reason: String {
        switch self {
        case .connection: "it has another certificate or key than is trusted; nothing was sent"
        case .answer: "what came back is not signed by it"
        case .invitation: "the address names a server that is not trusted; nothing was sent"
        }
    }
}

extension PINPolicy.Rule {
    fileprivate var reason: String {
        switch self {
        case .notDigits: "it is not digits alone"
        case .tooShort: "it is too short"
        case .tooLong: "it is too long"
        case .repeated: "it repeats itself"
        case .sequence: "it is a sequence"
        case .date: "it is a date"
        case .commonlyChosen: "many choose it"
        }
    }
}
