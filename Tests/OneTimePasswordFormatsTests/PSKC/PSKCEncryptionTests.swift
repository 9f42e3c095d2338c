import Cryptography
import Testing

@testable import OneTimePassword
@testable import OneTimePasswordFormats

@Suite struct `Encrypted values of a PSKC document` {
    typealias Failure = PSKCDocument.ReadingFailure

    /// The line of the secret in the samples.
    private static let line = 8

    @Test func `open with the correct key`() throws {
        let read = try read(try EncryptedSample())
        #expect(read.keys.map(\.secret) == [try SecretBytes("12345678901234567890")])
    }

    /// Figure 6 shows the result for its key, MAC key and vectors.
    @Test func `equal those of RFC 6030 for the same random bytes`() throws {
        let key = try SecureBytes(EncryptedSample.key)
        let cipher = try ValueCipher(
            key: try SecureBytes(EncryptedSample.key),
            macKey: try SecureBytes(EncryptedSample.macKey),
            .sha1
        )
        let (secret, macKey) = (EncryptedSample.secret, EncryptedSample.macKey)
        let sealed = try cipher.seal(secret.span, initialisationVector: [UInt8](0..<16))
        let encryptedMACKey = try key.encryptCBC(
            macKey.span,
            initialisationVector: try TextEncoding.base64.decode("ESIzRFVmd4iZABEiM0RVZg==")
        )
        #expect(
            TextEncoding.base64.encode(sealed.encrypted.span)
                == "AAECAwQFBgcICQoLDA0OD+cIHItlB3Wra1DUpxVvOx2lef1VmNPCMl8jwZqIUqGv"
        )
        #expect(TextEncoding.base64.encode(sealed.mac.span) == "Su+NvtQfmvfJzF6bmQiJqoLRExc=")
        #expect(
            TextEncoding.base64.encode(encryptedMACKey.span)
                == "ESIzRFVmd4iZABEiM0RVZgKn6WjLaTC1sbeBMSvIhRejN9vJa2BOlSaMrR7I5wSX"
        )
    }

    @Test func `are rejected after a change of any bit`() throws {
        let sample = try EncryptedSample()
        for bit in 0..<sample.encryptedSecret.count * 8 {
            var changed = sample
            changed.encryptedSecret.flip(bit)
            expectMismatch(changed)
        }
        for bit in 0..<20 * 8 {
            var changed = sample
            changed.mac?.flip(bit)
            expectMismatch(changed)
        }
        for bit in 0..<48 * 8 {
            var changed = sample
            changed.encryptedMACKey?.flip(bit)
            expectMismatch(changed)
        }
    }

    @Test func `are rejected if the MAC is truncated, extended or over the plaintext`() throws {
        let sample = try EncryptedSample()
        let mac = try #require(sample.mac)
        let hmac = try HMAC(.sha1, key: try SecureBytes(EncryptedSample.macKey))
        let secret = EncryptedSample.secret
        let overPlaintext = try hmac.authenticate(secret.span).array
        for wrong in [[], Array(mac.prefix(19)), Array(mac.prefix(10)), mac + [0], overPlaintext] {
            var changed = sample
            changed.mac = wrong
            expectMismatch(changed)
        }
    }

    /// Decryption would reject the length first.
    @Test func `are not decrypted before the MAC is verified`() throws {
        let cipher = try ValueCipher(
            key: try SecureBytes(EncryptedSample.key),
            macKey: try SecureBytes(EncryptedSample.macKey),
            .sha1
        )
        let noBlocks = [UInt8](repeating: 0, count: 17)
        let hmac = try HMAC(.sha1, key: try SecureBytes(EncryptedSample.macKey))
        #expect(throws: CryptographyFailure.authenticationFailed) {
            _ = try cipher.open(noBlocks, mac: [UInt8](repeating: 0, count: 20))
        }
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try cipher.open(noBlocks, mac: try hmac.authenticate(noBlocks.span).array)
        }
    }

    /// Some of these keys decrypt the MAC key to valid padding, most do not.
    @Test func `do not distinguish one wrong key from another`() throws {
        let sample = try EncryptedSample()
        for _ in 0..<1000 {
            let wrong = try randomBytes(count: 16)
            #expect(throws: Failure.macMismatch(line: Self.line)) {
                try read(sample, key: wrong)
            }
        }
    }

    /// An attacker who truncates the encrypted MAC key leaves a short one, which can be guessed.
    @Test(arguments: 0..<16) func `are rejected with a MAC key of`(byteCount: Int) throws {
        expectMismatch(try EncryptedSample(macKey: [UInt8](repeating: 7, count: byteCount)))
    }

    @Test func `open with a MAC key of 16 bytes`() throws {
        let sample = try EncryptedSample(macKey: [UInt8](repeating: 7, count: 16))
        #expect(try read(sample).keys.count == 1)
    }

    /// Before decryption: a MAC key has no MAC, and locked memory is scarce.
    @Test func `are rejected if they are longer than the maximum secret`() throws {
        var longMACKey = try EncryptedSample()
        longMACKey.encryptedMACKey = [UInt8](repeating: 7, count: 2_000_000)
        #expect(throws: Failure.malformed("CipherValue", line: 6)) { try read(longMACKey) }
        let longest = [UInt8](repeating: 7, count: SecretBytes.maximumByteCount)
        #expect(try read(try EncryptedSample(secret: longest)).keys.count == 1)
        let tooLong = try EncryptedSample(secret: longest + longest)
        #expect(throws: Failure.malformed("CipherValue", line: Self.line)) { try read(tooLong) }
    }

    @Test func `are rejected without a MAC or without its key`() throws {
        var noMAC = try EncryptedSample()
        noMAC.mac = nil
        var noKey = try EncryptedSample()
        noKey.macKeyElement = "MACKeyReference"
        var noMethod = try EncryptedSample()
        noMethod.encryptedMACKey = nil
        for (sample, line) in [(noMAC, Self.line), (noKey, 1), (noMethod, 1)] {
            #expect(throws: Failure.macMissing(line: line)) { try read(sample) }
        }
    }

    @Test(arguments: [
        "http://www.w3.org/2001/04/xmlenc#rsa-1_5",
        "http://www.w3.org/2001/04/xmlenc#tripledes-cbc",
        "http://www.w3.org/2001/04/xmlenc#kw-aes128",
        "http://www.w3.org/2001/04/xmldsig-more#camellia128-cbc",
        "http://www.w3.org/2009/xmlenc11#aes128-gcm", "aes128-cbc",
    ])
    func `are rejected by the name of an unsupported cipher`(_ uri: String) throws {
        var sample = try EncryptedSample()
        sample.encryption = uri
        for unlock in [.nothing, try Self.rightKey] {
            #expect(throws: Failure.unsupportedAlgorithm(uri, line: Self.line)) {
                try PSKCDocument(reading: sample.text, unlockedBy: unlock)
            }
        }
    }

    @Test(arguments: ["hmac-md5", "hmac-sha224", "hmac-sha384", "hmac-ripemd160", "sha1"])
    func `are rejected by the name of an unsupported MAC`(_ name: String) throws {
        var sample = try EncryptedSample()
        sample.macAlgorithm = "http://www.w3.org/2001/04/xmldsig-more#" + name
        #expect(throws: Failure.unsupportedAlgorithm(sample.macAlgorithm, line: 6)) {
            try read(sample)
        }
    }

    @Test func `need their key`() throws {
        let sample = try EncryptedSample()
        for unlock in [.nothing, PSKCDocument.Unlock.password(try SecretBytes("qwerty"))] {
            #expect(throws: Failure.preSharedKeyNeeded) {
                try PSKCDocument(reading: sample.text, unlockedBy: unlock)
            }
        }
    }

    @Test(arguments: [15, 17, 24, 32]) func `reject a key of`(byteCount: Int) throws {
        let key = [UInt8](repeating: 1, count: byteCount)
        #expect(throws: Failure.wrongKeyLength(expectedByteCount: 16)) {
            try read(try EncryptedSample(), key: key)
        }
    }

    @Test(arguments: [0, 16, 31, 33]) func `reject a ciphertext of`(byteCount: Int) throws {
        var sample = try EncryptedSample()
        sample.encryptedSecret = [UInt8](repeating: 1, count: byteCount)
        #expect(throws: Failure.malformed("CipherValue", line: Self.line)) { try read(sample) }
    }

    @Test(
        arguments: [
            ([0], 0), ([30], 30), ([0x31], 49), ([0, 0, 0, 0, 0, 0, 1, 0], 256),
            ([UInt8](repeating: 0xff, count: 8), UInt64.max),
        ] as [([UInt8], UInt64)]
    )
    func `may be numbers`(_ bytes: [UInt8], _ number: UInt64) throws {
        #expect(try read(try sample(counter: bytes)).keys.map(\.counter) == [Counter(number)])
    }

    @Test(arguments: [0, 9]) func `are not numbers with a length of`(byteCount: Int) throws {
        let sample = try sample(counter: [UInt8](repeating: 0, count: byteCount))
        #expect(throws: Failure.malformed("Counter", line: 9)) { try read(sample) }
    }

    // MARK: -

    private func read(
        _ sample: EncryptedSample,
        key: [UInt8] = EncryptedSample.key
    ) throws -> PSKCDocument {
        try PSKCDocument(
            reading: sample.text,
            unlockedBy: .preSharedKey(try SecretBytes(key))
        )
    }

    private func expectMismatch(_ sample: EncryptedSample) {
        #expect(throws: Failure.macMismatch(line: Self.line)) { try read(sample) }
    }

    private static var rightKey: PSKCDocument.Unlock {
        get throws { .preSharedKey(try SecretBytes(EncryptedSample.key)) }
    }

    private func sample(counter: [UInt8]) throws -> EncryptedSample {
        let encrypted = try EncryptedSample(secret: counter)
        var sample = try EncryptedSample()
        let value = sample.value(encrypted.encryptedSecret, encrypted.mac)
        sample.moreData = "<Counter>\(value)</Counter>"
        return sample
    }
}

extension [UInt8] {
    fileprivate mutating func flip(_ bit: Int) {
        self[bit / 8] ^= 1 << UInt8(bit % 8)
    }
}
