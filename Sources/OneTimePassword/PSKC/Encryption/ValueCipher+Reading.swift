import Cryptography

extension ValueCipher {
    /// A shorter one was cut: with one of no byte or few, anybody could make the MACs.
    private static let minimumMACKeyByteCount = 16

    /// Makes what opens the values of a container, which all have one key.
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
            throw .machine(SystemFailure(error))
        }
    }

    /// Goes on with a random key where a wrong one opens nothing: this value has no MAC of its own,
    /// and every wrong key is to fail at the same place.
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
