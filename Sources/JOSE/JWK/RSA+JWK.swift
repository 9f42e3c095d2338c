package import Cryptography
package import StrictJSON

extension RSA.PublicKey {
    /// Reads a public key of the type `RSA`.
    package init(jwk: JSONValue, for use: JWKUse) throws(JOSEFailure) {
        try use.check(jwk, type: "RSA", isPublic: true)
        let (modulus, exponent) = (try jwk.bytes("n"), try jwk.bytes("e"))
        self = try orRefused(RSA.PublicKey(modulus: modulus.span, exponent: exponent.span))
    }
}
