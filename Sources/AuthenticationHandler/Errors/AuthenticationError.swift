import Cryptography
import OneTimePassword
public import TransactionApproval

/// Why an operation did not do what it was asked for.
///
/// `code` is stable and says what to do about it; what else is known stands beside it, and is nil
/// where it does not belong to the code. No PIN, code or key is ever in here.
public struct AuthenticationError: Error, Sendable {
    public let code: ErrorCode
    /// With `authenticationFailed`: how often the person may try again before a lock.
    public internal(set) var attemptsLeft: Int?
    /// With `credentialLocked`: when the lock ends, by the verifier's clock.
    public internal(set) var lock: LockEnd?
    /// With `transactionAlreadyDecided`: how it ended.
    public internal(set) var finalState: FinalState?
    /// With `rateLimited`: how long to wait.
    public internal(set) var retryAfter: Duration?
    /// With `pinPolicy`: the first rule that the PIN breaks.
    public internal(set) var brokenRule: PINPolicy.Rule?
    /// With the codes of biometrics: what to offer the person now, biometrics again among it or not.
    public internal(set) var offeredTypes: [AuthenticationType]?
    /// With `serverUntrusted`: what could not be believed.
    public internal(set) var distrust: TrustFailure?
    /// What led to it, in a few words for whoever looks for the cause; empty where the code says all.
    public let cause: String

    init(_ code: ErrorCode, cause: String = "") {
        self.code = code
        self.cause = cause
    }
}

extension AuthenticationError: Equatable {
    /// By the code alone.
    public static func == (left: AuthenticationError, right: AuthenticationError) -> Bool {
        left.code == right.code
    }
}

extension AuthenticationError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What happened and what the person can do.
    public var description: String { code.supportSentence }

    /// For whoever looks for the cause: the code, and what led to it.
    public var debugDescription: String {
        cause.isEmpty ? code.rawValue : "\(code.rawValue): \(cause)"
    }
}

// MARK: What becomes of the failures inside

extension AuthenticationError {
    init(_ problem: Problem) {
        self.init(problem.code, cause: "the verifier's answer")
        switch problem {
        case .authenticationFailed(let left): attemptsLeft = Int(left)
        case .credentialLocked(let end): lock = end
        case .transactionAlreadyDecided(let state): finalState = state
        case .rateLimited(let seconds): retryAfter = .seconds(Int64(seconds))
        default: break
        }
    }

    init(_ distrust: TrustFailure, cause: String) {
        self.init(.serverUntrusted, cause: cause)
        self.distrust = distrust
    }

    init(brokenRule: PINPolicy.Rule) {
        self.init(.pinPolicy, cause: brokenRule.rawValue)
        self.brokenRule = brokenRule
    }

    init(_ failure: Vault.Failure) {
        let code: ErrorCode =
            switch failure {
            case .file(.locked): .vaultLocked
            case .record(.damaged), .file(.tooLarge): .vaultDamaged
            case .secretsMissing: .deviceSecretMissing
            case .file, .record, .secretStore, .machine: .vaultUnavailable
            }
        self.init(code, cause: "\(failure)")
    }

    init(_ failure: HTTPTransportFailure) {
        switch failure {
        case .unreachable: self.init(.networkUnavailable)
        case .untrusted: self.init(.connection, cause: "its certificate or its key")
        case .malformed: self.init(.answer, cause: "no HTTP, or too much of it")
        case .unusableSettings: self.init(.invalidArgument, cause: "the network's settings")
        }
    }

    init(machine failure: CryptographyFailure) {
        self.init(machine: SystemFailure(failure))
    }

    init(machine failure: SystemFailure) {
        self.init(.vaultUnavailable, cause: failure.cause)
    }

    /// Nothing that came from outside can make these fail: only a machine without memory.
    static func onThisMachine<Result: ~Copyable>(
        _ body: () throws(CryptographyFailure) -> Result
    ) throws(AuthenticationError) -> Result {
        do throws(CryptographyFailure) { return try body() } catch { throw Self(machine: error) }
    }

    static func ofVault<Result: ~Copyable>(
        _ body: () throws(Vault.Failure) -> Result
    ) throws(AuthenticationError) -> Result {
        do throws(Vault.Failure) { return try body() } catch { throw Self(error) }
    }
}

extension SystemFailure {
    var cause: String {
        switch self {
        case .secureMemoryUnavailable: "memory for secrets cannot be locked"
        case .secureMemoryFull: "all memory for secrets is in use"
        case .cryptographyUnavailable(let operation): "\(operation) failed"
        }
    }
}
