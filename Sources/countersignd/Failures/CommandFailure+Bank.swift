import CommandLineTool
import HTTPClient
import TransactionApproval
import VerifierServer

// What the bank's API refuses, as a command tells it: the one table of codes, exit codes and hints.

extension CommandFailure {
    /// `doubt` is why it may be there all the same, where it is not found.
    init(_ reply: Bank.Reply, to question: APIRequest, _ doubt: String?) {
        guard let problem = ShownProblem(reply.body) else {
            self.init(
                .untrustedResponse,
                "what answers there, with status \(reply.status), is no verifier",
                hint: "look whether --server names the right one"
            )
            return
        }
        self.init(problem, to: question, doubt)
    }

    private init(_ problem: ShownProblem, to question: APIRequest, _ doubt: String?) {
        if let code = BankErrorCode(rawValue: problem.code) {
            let (exitCode, hint) = code.outcome
            let isAbsent = code == .notFound
            let message = isAbsent ? question.absence : problem.sentence
            let whereAbsent = [question.remedy, doubt].compactMap { $0 }.joined(separator: "; ")
            self.init(
                exitCode,
                message,
                hint: isAbsent ? (whereAbsent.isEmpty ? nil : whereAbsent) : hint
            )
        } else {
            let code = ErrorCode(rawValue: problem.code)
            let (exitCode, message) = code.map { $0.outcome(of: question) } ?? (.refused, nil)
            self.init(
                exitCode,
                (message ?? problem.sentence) + problem.particulars,
                hint: code == .serverUnavailable ? question.repetition : nil
            )
        }
    }

    static func noToken(in file: FilePath) -> CommandFailure {
        CommandFailure(
            .malformedInput,
            "\(file.text) holds no token",
            hint: "(umask 077; countersignd token create NAME ROLE --all >FILE) makes one"
        )
    }

    init(_ failure: HTTPFailure, of question: APIRequest, at origin: ServerOrigin) {
        switch failure {
        case .networkUnavailable:
            self.init(
                .serverUnavailable,
                "nobody can be reached at \(origin)",
                hint: "look whether the verifier runs, and what is between here and there"
            )
        case .serverUntrusted:
            self.init(
                .untrustedResponse,
                "who answers at \(origin) is not provably the verifier, and was told nothing",
                hint: "--authorities names a file of who vouches for it"
            )
        case .unusableCertificateFile:
            self.init(.noInput, "the file of --authorities is not there, or holds no certificate")
        case .responseMissing, .malformedResponse, .responseTooLarge, .cancelled:
            self.init(
                .tryLater,
                "no whole answer came from \(origin): it may have been done or not",
                hint: question.repetition
            )
        case .invalidRequest, .library:
            self.init(.internalFailure, "libcurl cannot send this")
        }
    }
}

extension APIRequest {
    fileprivate var absence: String { "there is no such \(subject)" }

    /// How to ask again where nobody knows whether it was done.
    var repetition: String {
        guard let key else { return "repeat it" }
        return "repeat it with --idempotency-key \(key): it is done once"
    }
}

extension BankErrorCode {
    fileprivate var outcome: (ExitCode, hint: String?) {
        switch self {
        case .notFound: (.noInput, nil)
        case .methodNotAllowed, .unsupportedContentType, .idempotencyKeyMissing:
            (.internalFailure, "ask with the countersignd of the same release")
        case .invalidQuery: (.usage, nil)
        case .contentTooLarge, .malformedContent, .invalidContent:
            (.malformedInput, "/openapi.json says what each member may be")
        case .idempotencyKeyReused: (.refused, "take another --idempotency-key")
        case .unauthorized:
            (.noPermission, "countersignd token list shows which tokens are good")
        case .scopeMissing:
            (.noPermission, "countersignd token create makes one of another role")
        case .enterpriseExists: (.cannotCreate, "without --new it gets this one")
        case .accountReplaced: (.refused, "countersignd account show tells by which")
        case .tooManyDevices: (.refused, "countersignd revoke ends one that is needed no more")
        case .noActiveDevice:
            (.refused, "countersignd activation create begins an activation")
        case .tooManyPending: (.tryLater, "countersignd transaction list shows them")
        case .policyForbids: (.refused, "countersignd policy show tells what it allows")
        case .loginExpired, .loginRedeemed, .dataMismatch, .deviceNotActive: (.refused, nil)
        case .counterUnconfirmed:
            (.refused, "resync --witnessed is for codes that somebody of the bank saw it make")
        case .credentialOutdated:
            (.refused, "countersignd activation create begins an activation")
        }
    }
}

extension ErrorCode {
    /// Those of them that a bank can meet; the sentence of the others is for a person's device.
    fileprivate func outcome(of question: APIRequest) -> (ExitCode, message: String?) {
        switch self {
        case .unknownTransaction: (.noInput, question.absence)
        case .transactionAlreadyDecided: (.refused, "the transaction ended before")
        case .transactionExpired: (.refused, "the transaction's time was over before")
        case .authenticationFailed: (.refused, "these are no two codes in a row of this device")
        case .deviceRevoked: (.refused, "the device is revoked")
        case .credentialLocked: (.noPermission, "codes of this device are locked")
        case .authenticationTypeNotAllowed: (.refused, "no code of this device is taken")
        case .rateLimited: (.tryLater, "there were too many requests to this person")
        case .serverUnavailable: (.serverUnavailable, "the verifier cannot decide anything now")
        default: (.refused, nil)
        }
    }
}
