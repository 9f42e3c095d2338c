import Cryptography
import JOSE
import SelfTest
import StrictJSON

extension VectorType {
    static let jwe = VectorType(
        name: "jwe",
        inputs: [
            .text("token"), .text("algorithm"), .list("encryptions"), .text("key"),
            .bytes("algorithm_id_hex").optional, .bytes("party_u_hex").optional,
            .bytes("party_v_hex").optional, .integer("length").optional,
        ],
        results: [.bytes("plaintext_hex"), .bytes("nonce_hex"), .text("kid").optional]
    ) { row in
        let token = try JWE(reading: row.token(), maximumByteCount: VectorCase.maximumToken)
        let plaintext = try row.plaintext(of: token)
        var results: [String: VectorCase.Value] = [
            "plaintext_hex": .text(TextEncoding.hexadecimal.encode(plaintext.span)),
            "nonce_hex": .text(TextEncoding.hexadecimal.encode(token.nonce.span)),
        ]
        results["kid"] = token.keyID.map { .text($0) }
        return results
    }

    static let jws = VectorType(
        name: "jws",
        inputs: [
            .text("token"), .list("algorithms"), .text("key").optional,
            .bytes("anchor_hex").optional, .text("unix_time").optional,
        ],
        results: [.bytes("payload_hex")]
    ) { row in
        let token = try JWS(reading: row.token(), maximumByteCount: VectorCase.maximumToken)
        let payload = try row.payload(of: token)
        return ["payload_hex": .text(TextEncoding.hexadecimal.encode(payload.span))]
    }

    static let ecdhES = VectorType(
        name: "ecdh-es",
        inputs: [
            .text("private_key"), .text("public_key"), .bytes("algorithm_id_hex"),
            .bytes("party_u_hex"), .bytes("party_v_hex"), .integer("length"),
        ],
        results: [.bytes("key_hex")]
    ) { row in
        let use = JWKUse.encryption(.ecdhES)
        let own = try P256.PrivateKey(jwk: row.jwk("private_key"), for: use)
        let other = try P256.PublicKey(jwk: row.jwk("public_key"), for: use)
        let key = try row.derivation().key(from: own.sharedSecret(with: other))
        return ["key_hex": .text(key.withBytes { TextEncoding.hexadecimal.encode($0) })]
    }

    static let aesCBCHMAC = VectorType(
        name: "aes-cbc-hmac",
        inputs: [
            .bytes("key_hex"), .bytes("iv_hex"), .bytes("ad_hex"), .bytes("ciphertext_hex"),
            .bytes("tag_hex"),
        ],
        results: [.bytes("plaintext_hex")]
    ) { row in
        let sealed = try row.bytes("ciphertext_hex") + row.bytes("tag_hex")
        let (vector, associated) = (try row.bytes("iv_hex"), try row.bytes("ad_hex"))
        let opened = try AESCBCHMAC.open(
            sealed.span,
            key: row.secureBytes("key_hex"),
            initialisationVector: vector.span,
            authenticating: associated.span
        )
        return ["plaintext_hex": .text(TextEncoding.hexadecimal.encode(opened.span))]
    }
}

extension VectorCase {
    fileprivate static let maximumToken = 64_000

    fileprivate func token() throws -> [UInt8] { Array(try text("token").utf8) }

    func jwk(_ name: String) throws -> JSONValue {
        try JSONValue(reading: Array(text(name).utf8), limits: .message)
    }

    fileprivate func derivation() throws -> KeyDerivation {
        KeyDerivation(
            algorithmID: try bytes("algorithm_id_hex"),
            partyUInfo: try bytes("party_u_hex"),
            partyVInfo: try bytes("party_v_hex"),
            byteCount: try integer("length")
        )
    }

    fileprivate func plaintext(of token: JWE) throws -> [UInt8] {
        let encryptions: [JWE.Encryption] = try algorithms("encryptions")
        switch try orRefused(JWE.Algorithm(rawValue: try text("algorithm"))) {
        case .direct:
            let key = try SecureBytes(jwk: jwk("key"), for: .encryption(.direct))
            return try token.opened(with: key, permitting: encryptions)
        case .ecdhES:
            let key = try P256.PrivateKey(jwk: jwk("key"), for: .encryption(.ecdhES))
            return try token.opened(by: key, deriving: derivation(), permitting: encryptions)
        case .rsaOAEP256:
            let info = try TextEncoding.base64.decode(secret: text("key").utf8.span)
            let key = try info.withBytes { bytes throws(CryptographyFailure) in
                try RSA.PrivateKey(der: bytes)
            }
            return try token.opened(by: key, permitting: encryptions)
        }
    }

    fileprivate func payload(of token: JWS) throws -> [UInt8] {
        let algorithms: [JWS.Algorithm] = try algorithms("algorithms")
        if has("anchor_hex") {
            let anchor = try bytes("anchor_hex")
            return try token.payload(
                verifiedBelow: Certificate(der: anchor.span),
                at: orRefused(Int64(text("unix_time"))),
                permitting: algorithms
            )
        }
        guard algorithms.count == 1 else { throw Refused() }
        return try token.payload(verifiedBy: verificationKey(for: algorithms[0]))
    }

    private func verificationKey(for algorithm: JWS.Algorithm) throws -> JWS.VerificationKey {
        switch algorithm {
        case .es256: .es256(try P256.PublicKey(jwk: jwk("key"), for: .signature(.es256)))
        case .ps256: .ps256(try RSA.PublicKey(jwk: jwk("key"), for: .signature(.ps256)))
        }
    }

    private func algorithms<Algorithm: RawRepresentable<String>>(
        _ name: String
    ) throws -> [Algorithm] {
        try list(name).map { value in
            guard case .text(let text) = value else { throw Refused() }
            return try orRefused(Algorithm(rawValue: text))
        }
    }
}
