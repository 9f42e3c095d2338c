package import Cryptography

/// Why a message cannot be signed or verified.
package enum SignatureFailure: Error, Equatable, Sendable {
    case missing(String)
    case repeated(String)
    /// The profile does not allow the value of this component.
    case malformed(String)
    case wrongDigest
    /// The message is not the cause.
    case system(SystemFailure)
}
