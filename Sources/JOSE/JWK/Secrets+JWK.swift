package import Cryptography
package import StrictJSON

extension SecureBytes {
    /// Reads a secret of the type `oct`; the JSON value contains it in ordinary memory.
    package init(jwk: JSONValue, for use: JWKUse) throws(JOSEFailure) {
        try use.check(jwk, type: "oct", isPublic: false)
        let secret = try jwk.secretBytes("k")
        // The ciphers have keys of different lengths.
        let cipher = jwk["alg"]?.text.flatMap(JWE.Encryption.init)
        guard (cipher?.keyByteCount ?? secret.count) == secret.count else { throw .refused }
        self = secret
    }
}
