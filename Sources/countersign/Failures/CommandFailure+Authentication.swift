import AuthenticationHandler
import CommandLineTool
import FailureTranslation

/// Translates the library's errors of an operation that can be repeated.
///
/// The only place besides operations that consume a PIN.
func reportingErrors<Result: ~Copyable>(
    _ body: @autoclosure () async throws(AuthenticationError) -> Result
) async throws(CommandFailure) -> Result {
    try await translatingAsync(await body()) { (error: AuthenticationError) in
        CommandFailure(ofRepeatable: error)
    }
}

/// The same for an operation that changes nothing.
func reportingErrorsOfReading<Result: ~Copyable>(
    _ body: @autoclosure () async throws(AuthenticationError) -> Result
) async throws(CommandFailure) -> Result {
    try await translatingAsync(await body()) { (error: AuthenticationError) in
        CommandFailure(ofReading: error)
    }
}

/// The same for a decision on this request, which a signal can interrupt.
func reportingErrors<Result: ~Copyable>(
    deciding request: String,
    at terminal: Terminal,
    _ body: @autoclosure () async throws(AuthenticationError) -> Result
) async throws(CommandFailure) -> Result {
    terminal.beginSending(decisionOn: request)
    defer { terminal.reportIfInterrupted(nil) }
    return try await translatingAsync(await body()) { (error: AuthenticationError) in
        CommandFailure(error, deciding: request)
    }
}

extension Terminal {
    /// Lets a signal that ends the program report a decision that may have been sent.
    func beginSending(decisionOn request: String) {
        reportIfInterrupted(.unknownDecision(on: request))
    }
}

extension CommandFailure {
    /// The same, of an operation that changes nothing: no result can be unknown.
    init(ofReading error: AuthenticationError) {
        switch error.code {
        case .responseMissing, .serverUnavailable:
            self.init(
                .serverUnavailable,
                localized(
                    "the bank's service is not available at the moment",
                    german: "der Dienst der Bank ist im Moment nicht verfügbar"
                ),
                hint: localized(
                    "try again in a few minutes",
                    german: "versuchen Sie es in einigen Minuten erneut"
                )
            )
        default: self.init(error)
        }
    }

    /// The same, of an operation that decides no request: a repeated call finishes it.
    init(ofRepeatable error: AuthenticationError) {
        let failure = CommandFailure(error)
        switch error.code {
        case .responseMissing, .serverUnavailable:
            self = failure.suggesting(
                localized(
                    "run the same command again",
                    german: "rufen Sie denselben Befehl erneut auf"
                )
            )
        default: self = failure
        }
    }

    /// The same, of a decision on this request, whose state shows an unknown result.
    ///
    /// `request`: nil if the operation decides no request.
    init(_ error: AuthenticationError, deciding request: String?) {
        guard let request, error.hasUnknownResult else {
            self.init(ofRepeatable: error)
            return
        }
        self = CommandFailure(error).suggesting(Self.checkHint(request))
    }

    /// The end of the program while a decision on this request is sent.
    fileprivate static func unknownDecision(on request: String) -> CommandFailure {
        CommandFailure(
            .interrupted,
            localized(
                "it is unknown whether the bank has your decision",
                german: "es ist unbekannt, ob die Bank Ihre Entscheidung hat"
            ),
            hint: checkHint(request)
        )
    }

    private static func checkHint(_ request: String) -> String {
        localized(
            "check it with countersign show \(request)",
            german: "prüfen Sie es mit countersign show \(request)"
        )
    }

    init(_ error: AuthenticationError) {
        if let rule = error.brokenRule {
            self.init(rule)
        } else if let file = error.exposedFile {
            self.init(error.code, exposing: file)
        } else if let time = error.retryAfter {
            self.init(error.code, retryingAfter: time)
        } else {
            self.init(error.code, error.supportSentence(in: .current), error.details)
            if let remedy = error.fileFailure?.remedyInVault { self = suggesting(remedy) }
        }
    }

    /// The same, in the words of an authentication with this input.
    ///
    /// `request`: the request that it approves, if it is an approval.
    init(
        _ error: AuthenticationError,
        provesWrong input: WrongInput,
        deciding request: String? = nil
    ) {
        switch (error.code, input) {
        case (.authenticationFailed, _):
            let hint = input.hint(attemptsLeft: error.attemptsLeft)
            self.init(.refused, input.message + error.details, hint: hint)
        case (.credentialLocked, .pin), (.credentialLocked, .pinOrNumber):
            let locked = CommandFailure(error)
            let event = localized(
                "the PIN is locked after too many failures",
                german: "die PIN ist nach zu vielen Fehlversuchen gesperrt"
            )
            let message = event + error.details
            self.init(locked.exitCode, message, hint: locked.hint)
        default: self.init(error, deciding: request)
        }
    }

    /// The named account is unknown, although there are others.
    static var unknownAccount: CommandFailure {
        CommandFailure(.noAccountActivated)
            .suggesting(
                localized(
                    "countersign accounts lists the accounts of this machine",
                    german: "countersign accounts zeigt die Zugänge dieses Rechners"
                )
            )
    }

    /// The message as a sentence of its own.
    var sentence: String { "\(message.prefix(1).uppercased())\(message.dropFirst())." }

    init(_ code: ErrorCode) {
        self.init(code, code.supportSentence(in: .current))
    }

    private init(_ code: ErrorCode, exposing file: ExposedFile) {
        let failure = CommandFailure(code)
        self.init(failure.exitCode, failure.message + file.details, hint: file.remedy)
    }

    private init(_ code: ErrorCode, retryingAfter time: Duration) {
        let failure = CommandFailure(code)
        let seconds = time.components.seconds
        let hint = localized(
            "wait \(counted(seconds, "second")), and try again",
            german:
                "warten Sie \(seconds == 1 ? "1 Sekunde" : "\(seconds) Sekunden"), und versuchen "
                + "Sie es erneut"
        )
        self.init(failure.exitCode, failure.message, hint: hint)
    }

    private init(_ code: ErrorCode, _ sentence: String, _ details: String = "") {
        let (event, remedy) = sentence.eventAndRemedy
        self.init(ExitCode(code), event + details, hint: remedy)
    }
}

extension ExitCode {
    fileprivate init(_ code: ErrorCode) {
        self =
            switch code {
            case .noPendingTransaction, .unknownTransaction: .nothingPending
            case .accountAlreadyActivated, .activationCodeInvalid, .activationCodeExpired,
                .activationForBrowser,
                .transactionExpired, .transactionAlreadyDecided, .transactionNotDisplayable,
                .returnURLRefused, .authenticationFailed, .authenticationTypeNotAllowed, .pinPolicy,
                .pinChangedBefore, .pinChangeUnfinished, .pinCannotBeDisabled,
                .biometricUnavailable,
                .biometricNotEnabled,
                .biometricFailed, .biometricCancelled, .upgradeRequired, .pushMismatch:
                .refused
            case .signingDataMissing, .invalidArgument: .usage
            case .pushMalformed, .vaultDamaged: .malformedInput
            case .noAccountActivated, .deviceSecretMissing: .noInput
            case .networkUnavailable: .serverUnavailable
            case .vaultUnavailable: .inputOutput
            case .counterOutOfStep, .clockSkew, .rateLimited, .vaultLocked: .tryLater
            case .responseMissing, .serverUnavailable, .serverUntrusted: .unknownResult
            case .deviceRevoked, .deviceWaiting, .amountAboveCeiling, .credentialLocked,
                .biometricLockedOut:
                .noPermission
            }
    }
}

extension String {
    /// The two halves of a support sentence, for message and hint.
    fileprivate var eventAndRemedy: (event: String, remedy: String?) {
        let halves = dropLast().split(separator: ";", maxSplits: 1)
        // A German sentence may begin with a noun.
        let first = String(halves[0].prefix(1))
        let event = localized(first.lowercased(), german: first) + halves[0].dropFirst()
        // A space follows the semicolon.
        return (event, halves.count > 1 ? String(halves[1].dropFirst()) : nil)
    }
}

extension AuthenticationError {
    /// Whether the bank may have done what failed with this error.
    var hasUnknownResult: Bool {
        [.responseMissing, .serverUnavailable].contains(code) || trustFailure == .response
    }

    /// Whether this machine has no such account; a refusal of the bank names its account.
    var isOfUnknownAccount: Bool { code == .noAccountActivated && account == nil }

    /// The details that the error has besides its code.
    var details: String {
        if let attemptsLeft { return " (\(Self.left(attemptsLeft)))" }
        // Causes of the library are in English.
        if concernsVault, !cause.isEmpty { return localized(" (\(cause))", german: "") }
        if let trustFailure { return trustFailure.details }
        if let waitsUntil { return lasting(until: waitsUntil) }
        return switch lock {
        case .until(let end): lasting(until: end)
        case .never: localized(" (permanently)", german: " (dauerhaft)")
        case nil: ""
        }
    }

    private static func left(_ attempts: Int) -> String {
        localized(
            "\(counted(attempts, "attempt")) left",
            german: attempts == 1 ? "noch 1 Versuch" : "noch \(attempts) Versuche"
        )
    }

    private func lasting(until end: Timestamp) -> String {
        let time = text(ofTimeLeft: end.remainingTime(clockOffset: clockOffset))
        return localized(" (for \(time))", german: " (für \(time))")
    }

    private var concernsVault: Bool {
        [.vaultDamaged, .vaultLocked, .vaultUnavailable, .deviceSecretMissing].contains(code)
    }
}

extension TrustFailure {
    fileprivate var details: String {
        switch self {
        case .connection:
            localized(
                " (its certificate or its key)",
                german: " (sein Zertifikat oder sein Schlüssel)"
            )
        case .response:
            localized(
                " (the response is not signed by the bank)",
                german: " (die Antwort ist nicht von der Bank signiert)"
            )
        case .activation: ""
        }
    }
}
