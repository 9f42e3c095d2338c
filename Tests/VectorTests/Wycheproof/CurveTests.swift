import Cryptography
import Testing
import VectorTesting

@Suite(.needsExtraVectors(for: "Wycheproof's rows of P-256"))
struct `Wycheproof's rows for P-256` {
    private struct ECDHFields: Decodable {
        let `public`, `private`, shared: Hexadecimal
    }

    @Test func `match for ECDH with an uncompressed point`() throws {
        try checkWycheproof("ecdh_secp256r1_ecpoint_test.json") {
            (_: NoParameters, row: ECDHFields) in
            [2, 3].contains(row.public.bytes.first) ? .refusedByPolicy : .checked
        } accepts: { _, row throws(CryptographyFailure) in
            let key = try P256.PublicKey(uncompressedPoint: row.public.bytes.span)
            return try sharedSecret(key, row.private.bytes) == row.shared.bytes
        }
    }

    @Test func `match for ECDH with SubjectPublicKeyInfo of the supported form`() throws {
        // A sequence of id-ecPublicKey with prime256v1 and a bit string of 66 bytes: a zero, then
        // 4.
        let start = try TextEncoding.hexadecimal.decode(
            "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
        )
        try checkWycheproof("ecdh_secp256r1_test.json") { (_: NoParameters, row: ECDHFields) in
            row.public.bytes.count == 91 && row.public.bytes.starts(with: start)
                ? .checked : .refusedByPolicy
        } accepts: { _, row throws(CryptographyFailure) in
            let key = try P256.PublicKey(subjectPublicKeyInfo: row.public.bytes.span)
            return try sharedSecret(key, row.private.bytes) == row.shared.bytes
        }
    }

    private struct WebFields: Decodable {
        struct Key: Decodable {
            let x, y: String
            let d: String?
        }
        let `public`, `private`: Key
        let shared: Hexadecimal
    }

    @Test func `match for ECDH with the coordinates of a JSON web key`() throws {
        try checkWycheproof("ecdh_secp256r1_webcrypto_test.json") {
            (_: NoParameters, row: WebFields) throws(CryptographyFailure) in
            let x = try TextEncoding.base64URL.decode(row.public.x)
            let y = try TextEncoding.base64URL.decode(row.public.y)
            let point = [4] + x + y
            let key = try P256.PublicKey(uncompressedPoint: point.span)
            let scalar = try TextEncoding.base64URL.decode(row.private.d ?? "")
            return try sharedSecret(key, scalar) == row.shared.bytes
        }
    }

    private struct SignatureParameters: Decodable {
        let publicKeyDer: Hexadecimal
    }
    private struct SignatureFields: Decodable {
        let msg, sig: Hexadecimal
    }

    @Test func `match for ECDSA with signatures in ASN.1`() throws {
        try checkWycheproof("ecdsa_secp256r1_sha256_test.json") {
            (group: SignatureParameters, row: SignatureFields) throws(CryptographyFailure) in
            let key = try P256.PublicKey(subjectPublicKeyInfo: group.publicKeyDer.bytes.span)
            let signature = try P256.Signature(distinguishedEncoding: row.sig.bytes.span)
            return try key.isValid(signature, for: row.msg.bytes.span)
        }
    }

    @Test func `match for ECDSA with signatures of 64 bytes`() throws {
        try checkWycheproof("ecdsa_secp256r1_sha256_p1363_test.json") {
            (group: SignatureParameters, row: SignatureFields) throws(CryptographyFailure) in
            let key = try P256.PublicKey(subjectPublicKeyInfo: group.publicKeyDer.bytes.span)
            let signature = try P256.Signature(raw: row.sig.bytes.span)
            return try key.isValid(signature, for: row.msg.bytes.span)
        }
    }

    /// Computes the shared secret with a private number that may have leading zeros.
    private func sharedSecret(
        _ key: P256.PublicKey,
        _ number: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        let scalar = [UInt8](repeating: 0, count: max(32 - digits.count, 0)) + digits
        let privateKey = try P256.PrivateKey(scalar: try SecureBytes(copying: scalar.span))
        return try privateKey.sharedSecret(with: key).withBytes { $0.array }
    }
}
