import COpenSSL
import Testing

@testable import Cryptography

@Suite struct `OpenSSL's error queue` {
    @Test func `is empty after every failure`() throws {
        let key = try P256.PrivateKey()
        let message: [UInt8] = [1]
        let zeros = [UInt8](repeating: 0, count: 64)
        let secret = try SecureBytes(zeros)
        let wrong = try P256.Signature(raw: zeros.span)
        let isValid = try key.publicKey.isValid(wrong, for: message.span)
        #expect(!isValid)
        #expect(ERR_peek_error() == 0)
        let refusals: [() throws -> Void] = [
            { _ = try P256.PublicKey(uncompressedPoint: ([4] + zeros).span) },
            { _ = try P256.PrivateKey(scalar: try SecureBytes(Array(zeros.prefix(32)))) },
            { _ = try SecureBytes(count: 5 << 20) { _ in } },
            { _ = try HKDF.derive(from: try SecureBytes(zeros), info: Span(), byteCount: 0) },
            {
                _ = try AESGCM.open(
                    zeros.span,
                    key: try SecureBytes(Array(zeros.prefix(32))),
                    nonce: zeros.span.extracting(first: 12)
                )
            },
        ]
        for refusal in refusals {
            #expect(throws: CryptographyFailure.self) { try refusal() }
            #expect(ERR_peek_error() == 0)
        }
        #expect(secret.count == 64)
    }
}
