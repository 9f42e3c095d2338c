import Cryptography
import Testing
import VectorTesting

@Suite(.needsExtraVectors(for: "Wycheproof's rows of symmetric cryptography"))
struct `Wycheproof's rows for symmetric cryptography` {
    private struct MACParameters: Decodable {
        let tagSize: Int
    }
    private struct MACFields: Decodable {
        let key, msg, tag: Hexadecimal
    }

    @Test(arguments: [
        ("hmac_sha1_test.json", HashAlgorithm.sha1), ("hmac_sha256_test.json", .sha256),
        ("hmac_sha512_test.json", .sha512),
    ])
    func `match for HMAC`(name: String, algorithm: HashAlgorithm) throws {
        try checkWycheproof(name) {
            (group: MACParameters, row: MACFields) throws(CryptographyFailure) in
            let key = try SecureBytes(copying: row.key.bytes.span)
            let mac = try HMAC(algorithm, key: key).authenticate(row.msg.bytes.span).array
            return Array(mac.prefix(group.tagSize / 8)) == row.tag.bytes
        }
    }

    private struct HKDFFields: Decodable {
        let ikm, salt, info, okm: Hexadecimal
        let size: Int
    }

    @Test(arguments: [
        ("hkdf_sha1_test.json", HashAlgorithm.sha1), ("hkdf_sha256_test.json", .sha256),
        ("hkdf_sha512_test.json", .sha512),
    ])
    func `match for HKDF`(name: String, algorithm: HashAlgorithm) throws {
        try checkWycheproof(name) {
            (_: NoParameters, row: HKDFFields) throws(CryptographyFailure) in
            let key = try HKDF.derive(
                algorithm,
                from: try SecureBytes(copying: row.ikm.bytes.span),
                salt: row.salt.bytes.span,
                info: row.info.bytes.span,
                byteCount: row.size
            )
            return key.withBytes { $0.array } == row.okm.bytes
        }
    }

    private struct PBKDF2Fields: Decodable {
        let password, salt, dk: Hexadecimal
        let iterationCount, dkLen: Int
    }

    @Test(arguments: [
        ("pbkdf2_hmacsha1_test.json", HashAlgorithm.sha1),
        ("pbkdf2_hmacsha256_test.json", .sha256),
    ])
    func `match for PBKDF2`(name: String, algorithm: HashAlgorithm) throws {
        try checkWycheproof(name) { (_: NoParameters, row: PBKDF2Fields) in
            row.iterationCount <= 100_000 ? .checked : .notRun
        } accepts: { _, row throws(CryptographyFailure) in
            let key = try PBKDF2.deriveKey(
                algorithm,
                from: try SecureBytes(copying: row.password.bytes.span),
                salt: row.salt.bytes.span,
                iterations: row.iterationCount,
                byteCount: row.dkLen
            )
            return key.withBytes { $0.array } == row.dk.bytes
        }
    }

    private struct GCMParameters: Decodable {
        let keySize, ivSize, tagSize: Int
    }
    private struct GCMFields: Decodable {
        let key, iv, aad, msg, ct, tag: Hexadecimal
    }

    @Test func `match for AES-GCM in the supported sizes`() throws {
        try checkWycheproof("aes_gcm_test.json") { (group: GCMParameters, _: GCMFields) in
            [128, 256].contains(group.keySize) && group.ivSize == 96 && group.tagSize == 128
                ? .checked : .refusedByPolicy
        } accepts: { group, row throws(CryptographyFailure) in
            try group.keySize == 128 ? isRightForShortKey(row) : isRight(row)
        }
    }

    private func isRight(_ row: GCMFields) throws(CryptographyFailure) -> Bool {
        let key = try SecureBytes(copying: row.key.bytes.span)
        let expected = row.ct.bytes + row.tag.bytes
        let opened = try AESGCM.open(
            expected.span,
            key: key,
            nonce: row.iv.bytes.span,
            authenticating: row.aad.bytes.span
        )
        let sealed = try AESGCM.seal(
            row.msg.bytes.span,
            key: key,
            nonce: row.iv.bytes.span,
            authenticating: row.aad.bytes.span
        )
        return opened.withBytes { $0.array } == row.msg.bytes && sealed == expected
    }

    private func isRightForShortKey(_ row: GCMFields) throws(CryptographyFailure) -> Bool {
        let key = try SecureBytes(copying: row.key.bytes.span)
        let expected = row.ct.bytes + row.tag.bytes
        let opened = try AESGCM.openContent(
            expected.span,
            keyOf128Bits: key,
            nonce: row.iv.bytes.span,
            authenticating: row.aad.bytes.span
        )
        let sealed = try AESGCM.seal(
            row.msg.bytes.span,
            keyOf128Bits: key,
            nonce: row.iv.bytes.span,
            authenticating: row.aad.bytes.span
        )
        return opened == row.msg.bytes && sealed == expected
    }
}
