import Cryptography

extension ValueCipher {
    /// A shorter key was truncated: an attacker could guess a key of few bytes and forge MACs.
    private static let minimumMACKeyByteCount = 16

    /// Creates the cipher for a container, whose values all have one key.
    convenience init(
        reading container: XMLElement,
        unlockedBy unlock: PSKCDocument.Unlock
    ) throws(PSKCDocument.ReadingFailure) {
        guard let method = try container.child("MACMethod"),
            let element = try method.child("MACKey")
        else { throw .macMissing(line: container.line) }
        let algorithm = try method.hmac()
        let encryptedMACKey = try EncryptedValue(reading: element)
        let encryptionKey = try EncryptionKey(reading: container, unlockedBy: unlock)
        try encryptedMACKey.requireKey(byteCount: encryptionKey.byteCount)
        do throws(CryptographyFailure) {
            let key = try encryptionKey.bytes()
            let macKey = try Self.macKey(encryptedMACKey, openedBy: key)
            try self.init(key: key, macKey: macKey, algorithm)
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    /// Continues with a random key if a wrong key decrypts nothing.
    ///
    /// This value has no MAC, and every wrong key must fail at the same place.
    private static func macKey(
        _ value: EncryptedValue,
        openedBy key: borrowing SecureBytes
    ) throws(CryptographyFailure) -> SecureBytes {
        do throws(CryptographyFailure) {
            let macKey = try key.decryptCBC(value.bytes)
            if macKey.count >= minimumMACKeyByteCount { return macKey }
        } catch {
            guard error == .authenticationFailed else { throw error }
        }
        return try SecureBytes.random(count: minimumMACKeyByteCount)
    }
}
