import HTTPClient
import ThreeDSProtocol

extension VerifierFailure {
    /// The end of a challenge whose transaction the verifier will never create.
    ///
    /// Nil if a later call can succeed, for example when the person has fewer open requests.
    ///
    /// A call that was repeated gets the response of the first one. So after such a refusal, there
    /// is no transaction.
    var verdict: Challenge.Verdict? {
        switch self {
        case .otherEnterprise: .failed
        case .refused(code: "noActiveDevice"), .refused(code: "accountReplaced"): .noDevice
        case .refused(code: "notFound"), .refused(code: "policyForbids"),
            .refused(code: "invalidContent"), .refused(code: "malformedContent"):
            .failed
        case .refused, .unreachable, .unavailable, .unreadable: nil
        }
    }

    /// Whether the call changed nothing at the verifier.
    var isWithoutEffect: Bool {
        switch self {
        case .unreachable(.networkUnavailable(_)), .unreachable(.serverUntrusted), .refused,
            .otherEnterprise:
            true
        case .unreachable, .unavailable, .unreadable: false
        }
    }

    /// Whether the verifier may have processed the call, and its response did not arrive.
    var isResponseLost: Bool {
        if case .unreachable = self { !isWithoutEffect } else { false }
    }

    /// Whether the account of the call is the cause.
    var isAboutAccount: Bool {
        switch self {
        case .refused, .otherEnterprise: true
        case .unreachable, .unavailable, .unreadable: false
        }
    }

    /// Whether the verifier has no such transaction.
    var isNotFound: Bool { self == .refused(code: "notFound") }
}
