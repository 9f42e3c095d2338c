package import Cryptography
import FailureTranslation
import JOSE

/// The reason why encrypted or signed content was not opened or made.
package enum ChannelFailure: Error, Equatable, Sendable {
    /// The input is malformed, not permitted, out of its order, or not authentic.
    ///
    /// One case for all of them: details would help an attacker who forges messages.
    case refused
    case system(SystemFailure)

    /// The error for the sender.
    package var errorCode: MessageErrorCode {
        switch self {
        case .refused: .decryptionFailed
        case .system: .transientFailure
        }
    }

    init(_ failure: CryptographyFailure) {
        self = SystemFailure(cause: failure).map { .system($0) } ?? .refused
    }

    init(_ failure: JOSEFailure) {
        switch failure {
        case .refused: self = .refused
        case .system(let failure): self = .system(failure)
        }
    }
}

func orRefused<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(ChannelFailure) -> Outcome {
    try translating(body(), to: { (failure: CryptographyFailure) in ChannelFailure(failure) })
}

/// The same for a call of JOSE: by type alone, Swift cannot distinguish them.
func orRefusedToken<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(JOSEFailure) -> Outcome
) throws(ChannelFailure) -> Outcome {
    try translating(body(), to: { (failure: JOSEFailure) in ChannelFailure(failure) })
}
