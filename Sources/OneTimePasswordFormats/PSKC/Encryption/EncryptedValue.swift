import Cryptography
import OneTimePassword

/// An encrypted value in a document (XML Encryption, section 3.1).
struct EncryptedValue {
    let encryption: ValueEncryption
    /// The initialisation vector and the blocks: everything that the MAC covers.
    let bytes: [UInt8]

    init(reading element: XMLElement) throws(PSKCDocument.ReadingFailure) {
        let method = try element.requiredChild("EncryptionMethod", in: [.encryption])
        encryption = try method.valueEncryption()
        let data = try element.requiredChild("CipherData", in: [.encryption])
        let value = try data.requiredChild("CipherValue", in: [.encryption])
        bytes = try value.base64()
        let blockByteCount = AESCBC.blockByteCount
        guard
            (2 * blockByteCount...Self.maximumByteCount).contains(bytes.count),
            bytes.count % blockByteCount == 0
        else { throw value.malformed }
    }

    /// The maximum secret with its vector and padding; more would only fill locked memory.
    private static let maximumByteCount = SecretBytes.maximumByteCount + 2 * AESCBC.blockByteCount

    func requireKey(byteCount: Int) throws(PSKCDocument.ReadingFailure) {
        guard byteCount == encryption.keyByteCount else {
            throw .wrongKeyLength(expectedByteCount: encryption.keyByteCount)
        }
    }
}
