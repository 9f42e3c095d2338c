/// The reason why a cryptographic operation failed.
///
/// No case contains a byte of the input.
package enum CryptographyFailure: Error, Equatable, Sendable {
    /// The locked heap for secrets could not be created, or it is full.
    case secureHeap(SecureHeap.Refusal)
    /// A text is not in the expected encoding; `offset` counts bytes.
    case malformedEncoding(offset: Int)
    /// The operation does not accept the length or the value of an argument.
    case invalidArgument
    /// Ciphertext, tag, key and associated data do not match.
    case authenticationFailed
    /// The bytes are not a point, scalar or signature on P-256.
    case invalidCurveEncoding
    /// The text is not an RSA key of at least 2048 bits in unencrypted PKCS#8 PEM, or the numbers
    /// are not such a public key.
    case invalidRSAKey
    /// The bytes are not one X.509 certificate in DER.
    case invalidCertificate
    /// An Argon2id cost is outside the limits.
    case costOutOfRange
    /// OpenSSL or libargon2 failed, usually because memory ran out.
    case library(operation: String, code: UInt)
    /// An HSM cannot use a key; the reason is fit for messages.
    case keyUnavailable(reason: String)
    /// Too many calls wait for an HSM, so this one was not made.
    case keyBusy
}
