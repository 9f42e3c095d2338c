package import Cryptography
import FailureTranslation

/// The reason why a token or a key was not read, opened, verified or made.
package enum JOSEFailure: Error, Equatable, Sendable {
    /// The input is malformed, not permitted, or not authentic.
    ///
    /// One case for all of them: details would help an attacker who forges messages.
    case refused
    case system(SystemFailure)

    init(_ failure: CryptographyFailure) {
        self = SystemFailure(cause: failure).map { .system($0) } ?? .refused
    }
}

package func orRefused<Outcome: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyFailure) -> Outcome
) throws(JOSEFailure) -> Outcome {
    try translating(body(), to: JOSEFailure.init)
}
