import COpenSSL

/// Public random bytes: nonces, salts, identifiers.
///
/// Secrets come from `SecureBytes.random`.
package func randomBytes(count: Int) throws(CryptographyFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try OpenSSL.check(RAND_bytes(&bytes, try OpenSSL.length(count)), "RAND_bytes")
    return bytes
}
