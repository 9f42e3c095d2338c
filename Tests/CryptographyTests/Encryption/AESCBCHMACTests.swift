import COpenSSL
import TestSupport
import Testing

@testable import Cryptography

@Suite struct `AES-CBC with HMAC` {
    private let key = [UInt8](0..<32)
    private let vector = [UInt8](100..<116)
    private let associated = Array("associated".utf8)

    private func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
        try AESCBCHMAC.seal(
            plaintext.span,
            key: SecureBytes(key),
            initialisationVector: vector.span,
            authenticating: associated.span
        )
    }

    private func open(
        _ sealed: [UInt8],
        key: [UInt8]? = nil,
        vector: [UInt8]? = nil,
        associated: [UInt8]? = nil
    ) throws -> [UInt8] {
        let (vector, associated) = (vector ?? self.vector, associated ?? self.associated)
        return try AESCBCHMAC.open(
            sealed.span,
            key: SecureBytes(key ?? self.key),
            initialisationVector: vector.span,
            authenticating: associated.span
        )
    }

    @Test(arguments: 0...33) func `opens its own output`(count: Int) throws {
        let plaintext = [UInt8](repeating: 16, count: count)
        let sealed = try seal(plaintext)
        #expect(sealed.count == (count / 16 + 1) * 16 + 16)
        #expect(try open(sealed) == plaintext)
    }

    @Test func `refuses every other bit of every input`() throws {
        let sealed = try seal(Array("a secret text, longer than one block".utf8))
        func refuses(_ body: () throws -> [UInt8]) {
            #expect(throws: CryptographyFailure.authenticationFailed) { _ = try body() }
        }
        for other in sealed.withOneBitFlipped { refuses { try open(other) } }
        for other in key.withOneBitFlipped.prefix(128) { refuses { try open(sealed, key: other) } }
        for other in vector.withOneBitFlipped { refuses { try open(sealed, vector: other) } }
        for other in associated.withOneBitFlipped {
            refuses { try open(sealed, associated: other) }
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `refuses every other length`() throws {
        let sealed = try seal(Array("text".utf8))
        for count in 0..<sealed.count {
            #expect(throws: CryptographyFailure.authenticationFailed) {
                _ = try open(Array(sealed.prefix(count)))
            }
        }
        for count in [0, 15, 17] {
            #expect(throws: CryptographyFailure.authenticationFailed) {
                _ = try open(sealed, vector: [UInt8](repeating: 100, count: count))
            }
        }
        for count in [0, 16, 31, 33] {
            #expect(throws: CryptographyFailure.invalidArgument) {
                _ = try open(sealed, key: [UInt8](repeating: 1, count: count))
            }
        }
    }

    /// An owner of the key can authenticate every padding, but only one form is correct.
    @Test(arguments: [
        [UInt8](repeating: 0, count: 16), [UInt8](repeating: 17, count: 16),
        [UInt8](repeating: 255, count: 16), [UInt8](repeating: 1, count: 14) + [1, 2],
        [UInt8](repeating: 16, count: 15) + [15], [15] + [UInt8](repeating: 16, count: 15),
    ])
    func `refuses every other padding, also with a correct tag`(block: [UInt8]) throws {
        let sealed = try authenticated(encrypted(block))
        #expect(throws: CryptographyFailure.authenticationFailed) { _ = try open(sealed) }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [0, 1, 15, 17])
    func `refuses incomplete blocks, also with a correct tag`(count: Int) throws {
        let sealed = try authenticated([UInt8](repeating: 1, count: count))
        #expect(throws: CryptographyFailure.authenticationFailed) { _ = try open(sealed) }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `accepts a correct padding that a test authenticates`() throws {
        let block = Array("text".utf8) + [UInt8](repeating: 12, count: 12)
        #expect(try open(authenticated(encrypted(block))) == Array("text".utf8))
    }

    /// One block without the padding that `AESCBC` adds.
    private func encrypted(_ block: [UInt8]) throws -> [UInt8] {
        let key = try SecureBytes(Array(key.suffix(16)))
        return Array(
            try AESCBC.encrypt(block.span, key: key, initialisationVector: vector.span).prefix(16)
        )
    }

    private func authenticated(_ ciphertext: [UInt8]) throws -> [UInt8] {
        let mac = try HMAC(.sha256, key: SecureBytes(Array(key.prefix(16))))
        let bits: [UInt8] = [0, 0, 0, 0, 0, 0, 0, UInt8(associated.count * 8)]
        let message = associated + vector + ciphertext + bits
        return ciphertext + (try mac.authenticate(message.span).array.prefix(16))
    }
}
