import Cryptography
import OneTimePassword

/// AES-CBC with an HMAC over the ciphertext (RFC 6030, section 6.1.1).
///
/// The MAC does not bind a value to its place: a person who can change a document can exchange
/// values.
final class ValueCipher {
    let keyByteCount: Int
    private let key: SecureBytes
    private let hmac: HMAC

    init(
        key: consuming SecureBytes,
        macKey: borrowing SecureBytes,
        _ algorithm: HMACAlgorithm
    ) throws(CryptographyFailure) {
        hmac = try HMAC(algorithm.hash, key: macKey)
        keyByteCount = key.count
        self.key = key
    }

    func seal(
        _ plaintext: Span<UInt8>,
        initialisationVector: [UInt8]
    ) throws(CryptographyFailure) -> (encrypted: [UInt8], mac: [UInt8]) {
        let encrypted = try key.encryptCBC(plaintext, initialisationVector: initialisationVector)
        return (encrypted, try hmac.authenticate(encrypted.span).array)
    }

    /// Decrypts only after the MAC was verified.
    func open(_ encrypted: [UInt8], mac: [UInt8]) throws(CryptographyFailure) -> SecureBytes {
        let expected = try hmac.authenticate(encrypted.span)
        guard expected.withBytes({ equalInConstantTime($0, mac.span) }) else {
            throw .authenticationFailed
        }
        return try key.decryptCBC(encrypted)
    }
}

// The initialisation vector precedes the blocks (XML Encryption, section 5.2).
extension SecureBytes {
    borrowing func encryptCBC(
        _ plaintext: Span<UInt8>,
        initialisationVector: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8] {
        initialisationVector
            + (try AESCBC.encrypt(
                plaintext,
                key: self,
                initialisationVector: initialisationVector.span
            ))
    }

    borrowing func decryptCBC(_ encrypted: [UInt8]) throws(CryptographyFailure) -> SecureBytes {
        let bytes = encrypted.span
        return try AESCBC.decrypt(
            bytes.extracting(droppingFirst: AESCBC.blockByteCount),
            key: self,
            initialisationVector: bytes.extracting(first: AESCBC.blockByteCount)
        )
    }
}
