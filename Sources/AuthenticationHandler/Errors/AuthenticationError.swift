import Cryptography
package import PrivateFiles
public import TransactionApproval

/// Why an operation failed.
///
/// `code` is stable and decides what to do. The other members are details, and are nil if they do
/// not belong to the code. No member contains a PIN, a code or a key.
public struct AuthenticationError: Error, Sendable {
    public let code: ErrorCode
    /// The account for which a request failed or was refused; nil if the error is not of one request.
    ///
    /// An activation can fail for an existing account, which checks the PIN.
    public internal(set) var account: Account?
    /// With `authenticationFailed`, and with `pinChangeUnfinished` of a PIN change: the number of
    /// attempts left before a lock.
    public internal(set) var attemptsLeft: Int?
    /// With `credentialLocked`: the end of the lock, by the verifier's clock.
    public internal(set) var lock: LockEnd?
    /// With `deviceWaiting`: when the wait of a new device ends, by the verifier's clock.
    public internal(set) var waitsUntil: Timestamp?
    /// With `lock` and `waitsUntil`: the verifier's clock minus the clock of this device, as in
    /// `Profile`.
    public internal(set) var clockOffset = Duration.zero
    /// With `transactionAlreadyDecided`: the final state.
    public internal(set) var finalState: FinalState?
    /// With `rateLimited`: the time to wait.
    public internal(set) var retryAfter: Duration?
    /// With `pinPolicy`: the first rule that the PIN breaks.
    public internal(set) var brokenRule: PINPolicy.Rule?
    /// With the biometric codes, and after a refused consent: the types to offer next.
    public internal(set) var offeredTypes: [AuthenticationType]?
    /// With `serverUntrusted`: the part that is not trusted.
    public internal(set) var trustFailure: TrustFailure?
    /// With `vaultUnavailable`: the file or folder that other users can access, if that is the cause.
    public internal(set) var exposedFile: ExposedFile?
    /// With `vaultUnavailable`: the failure of a file or folder of the vault, if that is the cause.
    package internal(set) var fileFailure: FileFailure?
    /// The cause, for diagnosis; empty if the code is sufficient.
    public let cause: String

    init(_ code: ErrorCode, cause: String = "") {
        self.code = code
        self.cause = cause
    }
}

extension AuthenticationError: Equatable {
    /// Compares the codes only.
    public static func == (left: AuthenticationError, right: AuthenticationError) -> Bool {
        left.code == right.code
    }
}

extension AuthenticationError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence for the person, with the event and the remedy.
    public var description: String { supportSentence(in: .english) }

    /// The same for a person who reads another language.
    ///
    /// With `trustFailure`, `finalState`, `brokenRule` or a permanent lock, it can be more exact than
    /// the sentence of the code.
    public func supportSentence(in language: Language) -> String {
        if let trustFailure { return trustFailure.supportSentence(in: language) }
        if let finalState { return finalState.supportSentence(in: language) }
        if let sentence = brokenRule?.supportSentence(in: language) { return sentence }
        return lock == .never
            ? Self.permanentLock(in: language) : code.supportSentence(in: language)
    }

    private static func permanentLock(in language: Language) -> String {
        switch language {
        case .english:
            "Approving is locked after too many failures; ask the bank for a new activation."
        case .german:
            """
            Die Freigabe ist nach zu vielen Fehlversuchen gesperrt; fordern Sie eine neue Aktivierung an.
            """
        }
    }

    /// The code and the cause, for diagnosis.
    public var debugDescription: String {
        cause.isEmpty ? code.rawValue : "\(code.rawValue): \(cause)"
    }
}

// MARK: Translation of internal failures

extension AuthenticationError {
    init(refusal problem: Problem, clockOffset: Duration = .zero) {
        self.init(problem.code, cause: "the verifier's response")
        self.clockOffset = clockOffset
        switch problem {
        case .authenticationFailed(let left): attemptsLeft = Int(left)
        case .credentialLocked(let end): lock = end
        case .deviceWaiting(let end): waitsUntil = end
        case .transactionAlreadyDecided(let state): finalState = state
        case .rateLimited(let seconds): retryAfter = .seconds(Int64(seconds))
        default: break
        }
    }

    init(_ failure: TrustFailure, cause: String) {
        self.init(.serverUntrusted, cause: cause)
        trustFailure = failure
    }

    init(brokenRule: PINPolicy.Rule) {
        self.init(.pinPolicy, cause: brokenRule.rawValue)
        self.brokenRule = brokenRule
    }

    init(vault failure: Vault.Failure) {
        let code: ErrorCode =
            switch failure {
            // A cancelled task waited because another operation used the vault.
            case .file(.locked), .file(.cancelled): .vaultLocked
            case .record(.damaged), .file(.tooLarge): .vaultDamaged
            case .secretsMissing: .deviceSecretMissing
            case .exposed, .file, .record, .secretStore, .system: .vaultUnavailable
            }
        self.init(code, cause: "\(failure)")
        switch failure {
        case .exposed(let file): exposedFile = file
        case .file(let failure): fileFailure = failure
        default: break
        }
    }

    init(transport failure: HTTPTransportFailure) {
        switch failure {
        case .unreachable: self.init(.networkUnavailable)
        case .responseMissing: self.init(.responseMissing)
        case .untrusted: self.init(.connection, cause: "its certificate or its key")
        case .malformed: self.init(.response, cause: "the response is not HTTP or exceeds 128 KiB")
        case .unusableSettings: self.init(.invalidArgument, cause: "the network's settings")
        }
    }

    init(system failure: SystemFailure) {
        self.init(.vaultUnavailable, cause: failure.text)
    }
}

/// Translates a failure that the input does not cause.
func translatingSystemFailure<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(AuthenticationError) -> Outcome {
    try translatingSystemFailure(body(), to: AuthenticationError.init(system:))
}
