package import Cryptography
package import StrictJSON

// A secret is written in secure memory, so it never is a JSON value.
extension P256.PrivateKey {
    /// The text of the key with its public half.
    package func secretJWK() throws(JOSEFailure) -> SecureBytes {
        let scalar = try orRefused(scalar())
        let open = try publicKey.jwk.writtenText().dropLast()
        return try joined(open + Array(#","d":""#.utf8), scalar)
    }
}

extension SecureBytes {
    /// Reads a secret of the type `oct`; the JSON value contains it in ordinary memory.
    package init(jwk: JSONValue, for use: JWKUse) throws(JOSEFailure) {
        try use.check(jwk, type: "oct", isPublic: false)
        self = try jwk.secretBytes("k")
    }

    /// The text of the secret.
    package borrowing func secretJWK() throws(JOSEFailure) -> SecureBytes {
        try joined(Array(#"{"kty":"oct","k":""#.utf8), self)
    }
}

/// A beginning, the secret in base64url, and the end of the object.
private func joined(
    _ beginning: [UInt8],
    _ secret: borrowing SecureBytes
) throws(JOSEFailure) -> SecureBytes {
    let end = Array(#""}"#.utf8)
    return try secret.withBytes { secret throws(JOSEFailure) in
        let text = try orRefused(TextEncoding.base64URL.encode(secret: secret))
        return try text.withBytes { text throws(JOSEFailure) in
            let open = try orRefused(SecureBytes(joining: beginning.span, text))
            return try open.withBytes { open throws(JOSEFailure) in
                try orRefused(SecureBytes(joining: open, end.span))
            }
        }
    }
}
