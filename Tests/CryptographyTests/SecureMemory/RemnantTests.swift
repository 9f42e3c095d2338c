import TestSupport
import Testing

@testable import Cryptography

// Exit tests: afterwards the memory of the process is searched.
@Suite(.needsPlainMemory) struct `SEC-26: no copy of a secret is left in ordinary memory` {
    init() {
        bindSymbolsAtOnce()
    }

    @Test(arguments: Use.allCases) func `after use`(_ use: Use) async {
        await #expect(processExitsWith: .success) { [use] in
            let secret = try await use.secretLeftBehind()
            #expect(try secret.remnantsOutsideSecureHeap() == 0)
        }
    }

    @Test func `(control) the search finds a copy`() async {
        await #expect(processExitsWith: .success) {
            let secret = try SecureBytes.random(count: 32)
            let copy = secret.array
            #expect(try secret.remnantsOutsideSecureHeap() > 0)
            #expect(copy.count == 32)
        }
    }

    @Test func `when a kept HMAC context gets another key`() async {
        await #expect(processExitsWith: .success) {
            let secret = try SecureBytes.random(count: 32)
            var mac = try HMAC(.sha256, key: secret)
            _ = try mac.authenticate(Span())
            try mac.setKey(try .random(count: 32))
            #expect(try secret.remnantsOutsideSecureHeap() == 0)
            _ = try mac.authenticate(Span())
        }
    }

    // OpenSSL stores numbers in the machine's byte order, so both orders are searched.
    @Test func `while a private key exists`() async {
        await #expect(processExitsWith: .success) {
            let key = try P256.PrivateKey()
            let scalar = try key.scalar()
            #expect(try scalar.remnantsOutsideSecureHeap() == 0)
            #expect(try scalar.reversed().remnantsOutsideSecureHeap() == 0)
            #expect(try key.scalar().array == scalar.array, "it still lived")
        }
    }
}

/// A use of a secret before the search.
enum Use: String, CaseIterable, Codable, Sendable {
    case copying, decodingText, encodingText, authenticating, deriving, derived, password
    case encryptionKey, openedPlaintext, unpaddedPlaintext
    case importedScalar, exportedScalar, signing, agreedSecret
    case argon2Password, argon2Lanes, argon2Key

    func secretLeftBehind() async throws -> SecureBytes {
        let secret = try SecureBytes.random(count: 32)
        let message: [UInt8] = [1]
        let salt = [UInt8](repeating: 2, count: 16)
        let nonce = [UInt8](repeating: 3, count: AESGCM.nonceByteCount)
        switch self {
        case .copying:
            _ = try secret.reversed().reversed().prefix(16)
        case .decodingText:
            for encoding in TextEncoding.all {
                let text = try secret.withBytes { bytes in try encoding.encode(secret: bytes) }
                let decoded = try text.withBytes { text in try encoding.decode(secret: text) }
                try #require(decoded.count == secret.count)
            }
        case .encodingText:
            return try secret.withBytes { try TextEncoding.base64.encode(secret: $0) }
        case .authenticating:
            var mac = try HMAC(.sha256, key: secret)
            _ = try mac.authenticate(message.span)
            try mac.setKey(secret)
            _ = try mac.authenticate(message.span)
        case .deriving:
            _ = try HKDF.derive(from: secret, info: message.span, byteCount: 32)
        case .derived:
            return try HKDF.derive(from: secret, info: message.span, byteCount: 32)
        case .password:
            _ = try PBKDF2.deriveKey(
                .sha256,
                from: secret,
                salt: salt.span,
                iterations: 10,
                byteCount: 32
            )
        case .encryptionKey:
            let sealed = try AESGCM.seal(message.span, key: secret, nonce: nonce.span)
            _ = try AESGCM.open(sealed.span, key: secret, nonce: nonce.span)
        case .openedPlaintext:
            let key = try SecureBytes.random(count: 32)
            let sealed = try secret.withBytes { bytes in
                try AESGCM.seal(bytes, key: key, nonce: nonce.span)
            }
            return try AESGCM.open(sealed.span, key: key, nonce: nonce.span)
        case .unpaddedPlaintext:
            let key = try SecureBytes.random(count: 16)
            let ciphertext = try secret.withBytes { bytes in
                try AESCBC.encrypt(bytes, key: key, initialisationVector: salt.span)
            }
            return try AESCBC.decrypt(ciphertext.span, key: key, initialisationVector: salt.span)
        case .importedScalar:
            _ = try P256.PrivateKey(scalar: secret)
            return try secret.reversed()
        case .exportedScalar:
            return try P256.PrivateKey().scalar()
        case .signing:
            let key = try P256.PrivateKey()
            _ = try key.signature(for: message.span)
            return try key.scalar().reversed()
        case .agreedSecret:
            let other = try P256.PrivateKey()
            return try P256.PrivateKey().sharedSecret(with: other.publicKey)
        case .argon2Password:
            _ = try await Argon2id.deriveKey(from: secret, salt: salt, cost: .floor, byteCount: 32)
        case .argon2Lanes:
            _ = try await Argon2id.deriveKey(
                from: secret,
                salt: salt,
                cost: .constrainedMemory,
                byteCount: 32
            )
        case .argon2Key:
            return try await Argon2id.deriveKey(
                from: secret,
                salt: salt,
                cost: .floor,
                byteCount: 32
            )
        }
        return secret
    }
}
