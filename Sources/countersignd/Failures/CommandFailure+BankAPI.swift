import BankIntegration
import CommandLineTool
import HTTPClient
import ServerOperation
import TransactionApproval
import VerifierServer

// The tables of refusals of the bank's API: an exit code, a message and a hint for each error code.

extension CommandFailure {
    /// `scopeHint` explains why an existing resource can be invisible.
    init(_ response: APIResponse, to request: APIRequest, scopeHint: String?) {
        guard let problem = ShownProblem(response.body) else {
            self.init(
                .unknownResult,
                "the server is not a verifier: its response has status \(response.status)",
                hint: "check --server"
            )
            return
        }
        if let code = BankErrorCode(rawValue: problem.code) {
            self.init(code, problem, to: request, scopeHint: scopeHint)
        } else {
            self.init(ErrorCode(rawValue: problem.code), problem, to: request)
        }
    }

    private init(
        _ code: BankErrorCode,
        _ problem: ShownProblem,
        to request: APIRequest,
        scopeHint: String?
    ) {
        let (exitCode, hint) = code.outcome
        guard code == .notFound else {
            self.init(exitCode, problem.sentence, hint: hint)
            return
        }
        let hints = [request.hint, scopeHint].compactMap { $0 }.joined(separator: "; ")
        self.init(exitCode, request.absence, hint: hints.isEmpty ? nil : hints)
    }

    private init(_ code: ErrorCode?, _ problem: ShownProblem, to request: APIRequest) {
        let (exitCode, message) = code.map(\.outcome) ?? (.refused, nil)
        self.init(
            exitCode,
            (message ?? problem.sentence) + problem.details,
            hint: code == .serverUnavailable ? request.retryHint : nil
        )
    }

    static func unconfirmed(_ call: RequestedCallResource) -> CommandFailure {
        if call.confirmed != nil {
            return CommandFailure(
                .refused,
                "call \(call.id) was confirmed before: it had its effect, or was refused",
                hint: "read the state; another call needs a new idempotency key"
            )
        }
        return CommandFailure(
            .refused,
            "nothing was changed: a second person must confirm call \(call.id)",
            hint: "until \(call.deadline.moment.rfc3339), they add --confirms \(call.id) to this "
                + "command, with their own --token"
        )
    }

    static func noToken(in file: FilePath) -> CommandFailure {
        CommandFailure(.malformedInput, "\(file.text) does not contain a token")
            .suggesting("create one: (umask 077; countersignd token create NAME ROLE --all >FILE)")
    }

    init(_ failure: HTTPFailure, of request: APIRequest, at origin: ServerOrigin) {
        self =
            switch failure {
            case .networkUnavailable:
                CommandFailure(.serverUnavailable, "cannot connect to \(origin)")
                    .suggesting("check that the verifier is running, and check the network")
            case .serverUntrusted:
                CommandFailure(
                    .unknownResult,
                    "the certificate of \(origin) is not trusted; nothing was sent",
                    hint: "name its CA certificates with --ca-certificates"
                )
            case .unusableCertificateFile:
                CommandFailure(
                    .noInput,
                    "cannot use the file of --ca-certificates or --client-certificate",
                    hint: "both are PEM; the file of --client-certificate also contains the key"
                )
            case .responseMissing, .responseLate, .malformedResponse, .responseTooLarge,
                .cancelled:
                CommandFailure(
                    .tryLater,
                    "\(origin) sent no complete response; the result is unknown",
                    hint: request.retryHint
                        + (origin.text.hasPrefix("http:")
                            ? ", or check if the server expects https" : "")
                )
            case .invalidRequest, .library:
                CommandFailure(.internalFailure, "libcurl cannot send the request")
            }
    }

    static let unusableCACertificates = CommandFailure(
        .noInput,
        "the file of --ca-certificates does not exist, or contains no certificate"
    )
}

extension APIRequest {
    fileprivate var absence: String { "this \(subject) does not exist" }

    /// How to repeat the request if its result is unknown.
    var retryHint: String {
        guard let key else { return "repeat the command" }
        return "repeat the command with --idempotency-key \(key): it has effect only once"
    }
}

extension BankErrorCode {
    fileprivate var outcome: (ExitCode, hint: String?) {
        switch self {
        case .notFound: (.noInput, nil)
        case .methodNotAllowed, .unsupportedContentType, .idempotencyKeyMissing:
            (.internalFailure, APIResponse.releaseHint)
        case .invalidQuery: (.usage, nil)
        case .contentTooLarge, .malformedContent, .invalidContent:
            (.malformedInput, "/openapi.json describes each member")
        case .idempotencyKeyReused: (.refused, "use another --idempotency-key")
        case .unauthorized:
            (.noPermission, "countersignd token list shows which tokens are valid")
        case .scopeMissing:
            (.noPermission, "create a token of another role with countersignd token create")
        case .confirmationUnknown, .confirmationOfOtherCall:
            (.refused, "repeat the first call with the same arguments, or request it again")
        case .confirmationBySameToken: (.noPermission, "use the token of a second person")
        case .confirmationUsed: (.refused, nil)
        case .confirmationExpired, .confirmationRequesterInvalid:
            (.refused, "request the call again, without --confirms")
        case .enterpriseExists: (.cannotCreate, "without --new the command replaces its policy")
        case .accountExists: (.cannotCreate, "countersignd account show prints the account")
        case .testAccountForbidden:
            (
                .refused,
                "set allowsTestAccounts in the policy of an enterprise that is only for tests"
            )
        case .mixedTestAccounts: (.refused, nil)
        case .accountReplaced: (.refused, "countersignd account show names the new account")
        case .webDevicesNotServed:
            (.refused, "set server.web in the configuration of each verifier, and restart them")
        case .tooManyDevices: (.refused, "revoke an unused device with countersignd revoke")
        case .noActiveDevice, .credentialOutdated:
            (.refused, "countersignd activation create starts one; add --web for a web browser")
        case .tooManyPending: (.tryLater, "countersignd transaction list shows them")
        case .policyForbids: (.refused, "countersignd policy show prints the policy")
        case .loginExpired, .loginRedeemed, .dataMismatch, .deviceNotActive, .codeUsed:
            (.refused, nil)
        case .transactionUndecided: (.refused, "countersignd transaction show prints its state")
        case .evidenceUnavailable:
            (.refused, "export it from the verifier that ran at that time, if there are several")
        case .counterUnconfirmed:
            (.refused, "use resync --witnessed if the bank's staff saw the device create the codes")
        }
    }
}

extension ErrorCode {
    /// Covers the codes that a bank can receive; the others are for devices.
    fileprivate var outcome: (ExitCode, message: String?) {
        switch self {
        case .transactionAlreadyDecided: (.refused, "the transaction is already decided")
        case .transactionExpired: (.refused, "the transaction has expired")
        case .authenticationFailed: (.refused, "these are not consecutive codes of this device")
        case .deviceRevoked: (.refused, "the device is revoked")
        case .deviceWaiting: (.refused, "the device is new and must wait")
        case .credentialLocked: (.noPermission, "the codes of this device are locked")
        case .authenticationTypeNotAllowed:
            (.refused, "the policy does not allow the codes of this device")
        case .rateLimited: (.tryLater, "too many requests were sent to this person")
        case .serverUnavailable: (.serverUnavailable, "the verifier is not available")
        default: (.refused, nil)
        }
    }
}
