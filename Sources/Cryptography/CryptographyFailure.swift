/// Why a cryptographic operation gave no result.
///
/// No case holds a byte of what was worked on.
package enum CryptographyFailure: Error, Equatable, Sendable {
    /// The locked heap for secrets could not be made, or has no room left.
    case secureHeap(SecureHeap.Refusal)
    /// A text is not in the encoding it was read as; `offset` counts bytes.
    case malformedEncoding(offset: Int)
    /// An argument has a length or a value that the operation does not take.
    case invalidArgument
    /// Ciphertext, tag, key and associated data do not belong together.
    case authenticationFailed
    /// The bytes are no point, scalar or signature on P-256.
    case invalidCurveEncoding
    /// The text is no RSA key of 2048 bits or more, in PKCS#8 and PEM, without a password.
    case invalidRSAKey
    /// An Argon2id cost lies outside the allowed limits.
    case costOutOfRange
    /// OpenSSL or libargon2 refused, usually for want of memory.
    case library(operation: String, code: UInt)
}
