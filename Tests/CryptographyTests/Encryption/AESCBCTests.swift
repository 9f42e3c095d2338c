import Testing

@testable import Cryptography

@Suite struct `AES in CBC mode` {
    private let vector = [UInt8](0..<16)

    // NIST SP 800-38A, F.2.1, the first block.
    @Test func `matches the published value`() throws {
        let key = try SecureBytes(try [UInt8](hexadecimal: "2b7e151628aed2a6abf7158809cf4f3c"))
        let plaintext = try [UInt8](hexadecimal: "6bc1bee22e409f96e93d7e117393172a")
        let ciphertext = try AESCBC.encrypt(
            plaintext.span,
            key: key,
            initialisationVector: vector.span
        )
        #expect(
            Array(ciphertext.prefix(16))
                == (try [UInt8](hexadecimal: "7649abac8119b246cee98e9b12e9197d"))
        )
    }

    @Test(arguments: [16, 24, 32])
    func `decrypts its own output for every padding length`(keyByteCount: Int) throws {
        let key = try SecureBytes.random(count: keyByteCount)
        for count in 0...48 {
            let plaintext = [UInt8](repeating: 16, count: count)
            let ciphertext = try AESCBC.encrypt(
                plaintext.span,
                key: key,
                initialisationVector: vector.span
            )
            #expect(ciphertext.count == (count / 16 + 1) * 16)
            #expect(try decrypt(ciphertext, key).array == plaintext)
        }
    }

    // XML Encryption 1.1, section 5.2: only the last byte of the padding has a meaning.
    @Test(arguments: 1...16) func `accepts any padding bytes before the count`(count: Int) throws {
        let key = try SecureBytes.random(count: 16)
        let padded = [UInt8](repeating: 0xEE, count: 15) + [UInt8(count)]
        let ciphertext = try encryptUnpadded(padded, key)
        #expect(try decrypt(ciphertext, key).array == Array(padded.prefix(16 - count)))
    }

    @Test(arguments: [0, 17, 32, 128, 255]) func `rejects an invalid padding count`(
        count: UInt8
    ) throws {
        let key = try SecureBytes.random(count: 16)
        let padded = [UInt8](repeating: count, count: 32)
        let ciphertext = try encryptUnpadded(padded, key)
        #expect(throws: CryptographyFailure.authenticationFailed) {
            _ = try decrypt(ciphertext, key)
        }
    }

    @Test(arguments: [0, 1, 15, 17, 31, 33])
    func `rejects a length that is not a multiple of the block size`(
        count: Int
    ) throws {
        let key = try SecureBytes.random(count: 16)
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try decrypt([UInt8](repeating: 0, count: count), key)
        }
    }

    @Test(arguments: [(15, 16), (0, 16), (33, 16), (16, 0), (16, 12), (16, 15), (16, 17)])
    func `rejects a key or an initialisation vector of another size`(
        keyByteCount: Int,
        vectorByteCount: Int
    ) throws {
        let key = try SecureBytes.random(count: keyByteCount)
        let vector = [UInt8](repeating: 0, count: vectorByteCount)
        let block = [UInt8](repeating: 0, count: 16)
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try AESCBC.encrypt(block.span, key: key, initialisationVector: vector.span)
        }
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try AESCBC.decrypt(block.span, key: key, initialisationVector: vector.span)
        }
    }

    private func decrypt(
        _ ciphertext: [UInt8],
        _ key: borrowing SecureBytes
    ) throws -> SecureBytes {
        try AESCBC.decrypt(ciphertext.span, key: key, initialisationVector: vector.span)
    }

    /// Encrypts whole blocks and removes the padding block after them.
    private func encryptUnpadded(
        _ blocks: [UInt8],
        _ key: borrowing SecureBytes
    ) throws -> [UInt8] {
        try AESCBC.encrypt(blocks.span, key: key, initialisationVector: vector.span).dropLast(16)
    }
}
