package import Cryptography
package import StrictJSON

extension P256.PublicKey {
    /// Reads a public key of the type `EC`: both coordinates have 32 bytes and are on the curve.
    package init(jwk: JSONValue, for use: JWKUse) throws(JOSEFailure) {
        try use.check(jwk, type: "EC", isPublic: true)
        try self.init(coordinatesOf: jwk)
    }

    fileprivate init(coordinatesOf jwk: JSONValue) throws(JOSEFailure) {
        let (x, y) = (try jwk.bytes("x"), try jwk.bytes("y"))
        guard
            jwk["crv"]?.text == "P-256",
            x.count == P256.coordinateByteCount, y.count == P256.coordinateByteCount
        else { throw .refused }
        let point = [4] + x + y
        self = try orRefused(P256.PublicKey(uncompressedPoint: point.span))
    }

    package var jwk: JSONValue {
        let x = uncompressedPoint.span.extracting(1...P256.coordinateByteCount)
        let y = uncompressedPoint.span.extracting(last: P256.coordinateByteCount)
        return .object([
            .text("kty", "EC"), .text("crv", "P-256"), .base64URL("x", x), .base64URL("y", y),
        ])
    }
}

extension P256.PrivateKey {
    /// Reads a private key of the type `EC`, whose coordinates must be those of its number.
    ///
    /// The JSON value contains the number in ordinary memory.
    package init(jwk: JSONValue, for use: JWKUse) throws(JOSEFailure) {
        try use.check(jwk, type: "EC", isPublic: false)
        let publicKey = try P256.PublicKey(coordinatesOf: jwk)
        let scalar = try jwk.secretBytes("d")
        let key = try orRefused(P256.PrivateKey(scalar: scalar))
        guard key.publicKey == publicKey else { throw .refused }
        self = key
    }
}
