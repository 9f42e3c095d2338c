package import Cryptography
import StrictJSON

extension JWE {
    /// Seals a message with the key of its content, by the algorithm `dir`.
    ///
    /// Without `nonce` it is random. A nonce must never be used twice with one key.
    package static func sealed(
        _ plaintext: Span<UInt8>,
        with key: borrowing SecureBytes,
        encryption: Encryption,
        keyID: String? = nil,
        nonce: [UInt8]? = nil
    ) throws(JOSEFailure) -> String {
        let nonce = if let nonce { nonce } else { try encryption.randomNonce() }
        let member = keyID.map { JSONValue.Member.text("kid", $0) }
        return try sealed(plaintext, .direct, encryption, member, [], key, nonce)
    }

    /// Seals a message by the algorithm `ECDH-ES`, with a new ephemeral key.
    ///
    /// The header does not contain the inputs of `derivation`: the recipient must know them.
    package static func sealed(
        _ plaintext: Span<UInt8>,
        to recipient: P256.PublicKey,
        deriving derivation: KeyDerivation,
        encryption: Encryption
    ) throws(JOSEFailure) -> String {
        let ephemeral = try orRefused(P256.PrivateKey())
        let secret = try orRefused(ephemeral.sharedSecret(with: recipient))
        let key = try encryption.key(in: derivation.key(from: secret))
        let member = JSONValue.Member(name: "epk", value: ephemeral.publicKey.jwk)
        let nonce = try encryption.randomNonce()
        return try sealed(plaintext, .ecdhES, encryption, member, [], key, nonce)
    }

    /// Seals a message by the algorithm `RSA-OAEP-256`, with a new key for its content.
    package static func sealed(
        _ plaintext: Span<UInt8>,
        to recipient: RSA.PublicKey,
        encryption: Encryption
    ) throws(JOSEFailure) -> String {
        let key = try orRefused(SecureBytes.random(count: encryption.keyByteCount))
        let encryptedKey = try orRefused(recipient.encrypt(key))
        let nonce = try encryption.randomNonce()
        return try sealed(plaintext, .rsaOAEP256, encryption, nil, encryptedKey, key, nonce)
    }

    private static func sealed(
        _ plaintext: Span<UInt8>,
        _ algorithm: Algorithm,
        _ encryption: Encryption,
        _ member: JSONValue.Member?,
        _ encryptedKey: [UInt8],
        _ key: borrowing SecureBytes,
        _ nonce: [UInt8]
    ) throws(JOSEFailure) -> String {
        let (first, last) = (
            JSONValue.Member.text("alg", algorithm.rawValue),
            JSONValue.Member.text("enc", encryption.rawValue)
        )
        var token = try Header.token(
            member.map { [first, $0, last] } ?? [first, last],
            reserving: plaintext.count + encryptedKey.count
        )
        let sealed = try encryption.seal(
            plaintext,
            key,
            nonce: nonce.span,
            authenticating: token.span
        )
        token.append(part: encryptedKey.span)
        token.append(part: nonce.span)
        token.append(part: sealed.span.extracting(droppingLast: Encryption.tagByteCount))
        token.append(part: sealed.span.extracting(last: Encryption.tagByteCount))
        return String(decoding: token, as: UTF8.self)
    }
}

extension JWE.Encryption {
    fileprivate func randomNonce() throws(JOSEFailure) -> [UInt8] {
        try orRefused(randomBytes(count: nonceByteCount))
    }
}
