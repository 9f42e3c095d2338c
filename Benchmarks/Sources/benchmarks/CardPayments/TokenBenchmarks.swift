import CReference
import Cryptography
import JOSE

/// Encrypted and signed messages of card payments, compared with the same calls of OpenSSL.
extension Benchmark {
    static var tokens: [Benchmark] {
        [
            encryption("jwe.cbc", .a128CBCHS256),
            encryption("jwe.gcm", .a128GCM),
            [
                .againstJwcrypto("jws.ps256.sign", .atMost(0.9), count: 20, ours: signPS256),
                .againstJwcrypto("jws.ps256.verify", .atMost(0.5), count: 200, ours: verifyPS256),
                .time(
                    "threeds.jws.es256.sign",
                    .atMost(1.3),
                    count: 200,
                    ours: signES256,
                    reference: reference_ecdsa_sign
                ),
                .time(
                    "threeds.jws.es256.verify",
                    .atMost(1.3),
                    count: 100,
                    ours: verifyES256,
                    reference: reference_ecdsa_verify
                ),
                .time(
                    "threeds.jws.ps256.sign",
                    .atMost(1.1),
                    count: 20,
                    ours: signPS256,
                    reference: reference_pss_sign
                ),
                .time(
                    "threeds.jws.ps256.verify",
                    .atMost(1.3),
                    count: 200,
                    ours: verifyPS256,
                    reference: reference_pss_verify
                ),
            ],
        ].flatMap { $0 }
    }

    private static func encryption(
        _ name: String,
        _ encryption: JWE.Encryption
    ) -> [Benchmark] {
        let isGCM = encryption == .a128GCM
        return [
            .time(
                "threeds.\(name).seal",
                .atMost(1.5),
                count: 2000,
                ours: { try seal($0, encryption) },
                reference: { reference_jwe_seal(isGCM, message, message.count, $0, $1) }
            ),
            .time(
                "threeds.\(name).open",
                .atMost(1.5),
                count: 2000,
                ours: { try open($0, encryption) },
                reference: { reference_jwe_open(isGCM, message, message.count, $0, $1) }
            ),
            .againstJwcrypto("\(name).seal", .atMost(0.12), count: 2000) {
                try seal($0, encryption)
            },
            .againstJwcrypto("\(name).open", .atMost(0.12), count: 2000) {
                try open($0, encryption)
            },
        ]
    }
}

/// As long as the first challenge request of an app.
private let message = [UInt8](repeating: 65, count: 236)

private func key(_ encryption: JWE.Encryption) throws -> SecureBytes {
    let bytes = Material.bytes(ofKey: 0, count: encryption.keyByteCount)
    return try SecureBytes(copying: bytes.span)
}

private func nonce(_ encryption: JWE.Encryption) -> [UInt8] {
    Material.bytes(ofKey: 2, count: encryption.nonceByteCount)
}

private func token(
    _ key: borrowing SecureBytes,
    _ encryption: JWE.Encryption,
    _ nonce: [UInt8]
) throws -> String {
    try JWE.sealed(message.span, with: key, encryption: encryption, keyID: "7", nonce: nonce)
}

private func end(of bytes: [UInt8]) -> [UInt8] {
    Array(bytes.suffix(Int(REFERENCE_LONGEST_RESULT)))
}

private func seal(_ count: Int, _ encryption: JWE.Encryption) throws -> [UInt8] {
    let key = try key(encryption)
    let nonce = nonce(encryption)
    var sealed = ""
    for _ in 0..<count { sealed = try token(key, encryption, nonce) }
    return end(of: Array(sealed.utf8))
}

private func open(_ count: Int, _ encryption: JWE.Encryption) throws -> [UInt8] {
    let key = try key(encryption)
    let text = Array(try token(key, encryption, nonce(encryption)).utf8)
    var content: [UInt8] = []
    for _ in 0..<count {
        content = try JWE(reading: text, maximumByteCount: 64_000)
            .opened(with: key, permitting: [encryption])
    }
    return end(of: content)
}

// MARK: Signatures

private func signES256(_ count: Int) throws -> [UInt8] {
    let key = try P256.PrivateKey()
    return try sign(count, .es256(key), .es256(key.publicKey))
}

private func verifyES256(_ count: Int) throws -> [UInt8] {
    let key = try P256.PrivateKey()
    return try verify(count, .es256(key), .es256(key.publicKey))
}

private func signPS256(_ count: Int) throws -> [UInt8] {
    try sign(count, .ps256(rsaKey.get()), .ps256(publicRSAKey()))
}

private func verifyPS256(_ count: Int) throws -> [UInt8] {
    try verify(count, .ps256(rsaKey.get()), .ps256(publicRSAKey()))
}

private func sign(
    _ count: Int,
    _ key: JWS.SigningKey,
    _ publicKey: JWS.VerificationKey
) throws -> [UInt8] {
    let payload = Material.bytes(ofKey: 0)
    var text = ""
    for _ in 0..<count { text = try JWS.signed(payload.span, by: key) }
    let token = try JWS(reading: Array(text.utf8), maximumByteCount: 16_000)
    return [try token.payload(verifiedBy: publicKey) == payload ? 1 : 0]
}

private func verify(
    _ count: Int,
    _ key: JWS.SigningKey,
    _ publicKey: JWS.VerificationKey
) throws -> [UInt8] {
    let payload = Material.bytes(ofKey: 0)
    let text = Array(try JWS.signed(payload.span, by: key).utf8)
    var isValid = true
    for _ in 0..<count {
        let token = try JWS(reading: text, maximumByteCount: 16_000)
        isValid = try token.payload(verifiedBy: publicKey) == payload && isValid
    }
    return [isValid ? 1 : 0]
}

private let rsaKey = Result { () throws -> RSA.PrivateKey in
    var der = [UInt8](repeating: 0, count: 2048)
    let length = Int(reference_rsa_key(&der, der.count))
    guard length > 0, length <= der.count else { throw BenchmarkFailure("no RSA key") }
    return try RSA.PrivateKey(der: der.span.extracting(first: length))
}

private func publicRSAKey() throws -> RSA.PublicKey {
    var modulus = [UInt8](repeating: 0, count: 256)
    let exponent: [UInt8] = [1, 0, 1]
    guard reference_rsa_modulus(&modulus) else { throw BenchmarkFailure("no RSA key") }
    return try RSA.PublicKey(modulus: modulus.span, exponent: exponent.span)
}
