package import Cryptography

/// Why a message was not signed, or cannot be a signed one.
package enum SignatureFailure: Error, Equatable, Sendable {
    /// There is no header field of this name.
    case missing(String)
    /// There is more than one header field of this name.
    case repeated(String)
    /// The profile does not allow this for the component of this name.
    case malformed(String)
    /// The content digest is not that of the body.
    case wrongDigest
    /// The message is not at fault.
    case machine(CryptographyFailure)

    /// Gives what `work` gives, which nothing in a message can make fail.
    static func wrapping<Value>(
        _ work: () throws(CryptographyFailure) -> Value
    ) throws(SignatureFailure) -> Value {
        do throws(CryptographyFailure) {
            return try work()
        } catch {
            throw .machine(error)
        }
    }
}
