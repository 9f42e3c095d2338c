import Cryptography
import StrictJSON

@testable import JOSE

// Other programs get the keys of the tests as JSON web keys.

extension RSA.PublicKey {
    var jwk: JSONValue {
        .object([
            .text("kty", "RSA"), .base64URL("n", modulus.span), .base64URL("e", exponent.span),
        ])
    }
}

extension P256.PrivateKey {
    /// The text of the key with its public half.
    func secretJWK() throws -> [UInt8] {
        let scalar = try scalar().withBytes { TextEncoding.base64URL.encode($0) }
        return try publicKey.jwk.written().dropLast() + Array(",\"d\":\"\(scalar)\"}".utf8)
    }
}

extension SecureBytes {
    /// The text of the secret.
    borrowing func secretJWK() -> [UInt8] {
        let text = withBytes { TextEncoding.base64URL.encode($0) }
        return Array("{\"kty\":\"oct\",\"k\":\"\(text)\"}".utf8)
    }
}
