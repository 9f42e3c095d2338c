package import Cryptography
import FailureTranslation

// A file of key-encryption keys that only an HSM opens.

extension KeyEncryptionKeys {
    /// The key that seals the keys in a file: only the private half of `key` can compute it.
    ///
    /// It comes from an agreement of the key with itself. From the public half alone, this is as
    /// hard as any Diffie-Hellman problem on the curve. So a token needs no other kind of key.
    package static func sealingFiles(
        with key: P256.PrivateKey
    ) throws(CryptographyFailure) -> KeyEncryptionKeys {
        let secret = try key.sharedSecret(with: key.publicKey)
        let info = Array("countersign key file 1".utf8)
        let bytes = try HKDF.derive(from: secret, info: info.span, byteCount: AESGCM.keyByteCount)
        // Of the right length, and the only one: never nil.
        guard let key = Key(version: 1, bytes: bytes), let keys = KeyEncryptionKeys([key]) else {
            throw .invalidArgument
        }
        return keys
    }
}

extension SealOwner {
    /// A sealed key does not open as another version.
    fileprivate static func keyInFile(version: UInt32) -> SealOwner {
        SealOwner(bytes: Array("countersign key in file \(version)".utf8))
    }
}

extension KeyFile {
    /// The number of hexadecimal digits of a sealed key.
    static let sealedDigitCount =
        2
        * (SealedValue.headerByteCount + AESGCM.nonceByteCount + AESGCM.keyByteCount
            + AESGCM.tagByteCount)

    static func sealed(
        _ key: borrowing SecureBytes,
        _ version: UInt32,
        under fileKey: KeyEncryptionKeys
    ) throws(Failure) -> SecureBytes {
        do throws(KeyEncryptionKeys.Failure) {
            let value = try key.withBytes { key throws(KeyEncryptionKeys.Failure) in
                try fileKey.seal(key, for: .keyInFile(version: version))
            }
            return try translatingSystemFailure(
                SecureBytes(copying: value.stored.span),
                to: KeyEncryptionKeys.Failure.system
            )
        } catch {
            throw Failure(error, line: 1)
        }
    }

    static func secret(
        sealedIn digits: Span<UInt8>,
        under fileKey: KeyEncryptionKeys,
        _ version: UInt32,
        line: Int
    ) throws(Failure) -> SecureBytes {
        let bytes = try translating(TextEncoding.hexadecimal.decode(secret: digits)) {
            (failure: CryptographyFailure) in Failure(failure, line: line)
        }
        guard let value = SealedValue(stored: bytes.withBytes { $0.array }) else {
            throw .malformedLine(line)
        }
        return try translating(fileKey.open(value, for: .keyInFile(version: version))) {
            (failure: KeyEncryptionKeys.Failure) in Failure(failure, line: line)
        }
    }
}

extension KeyFile.Failure {
    fileprivate init(_ failure: KeyEncryptionKeys.Failure, line: Int) {
        self =
            switch failure {
            case .system(let failure): .system(failure)
            case .keyMissing, .notAuthentic: .sealedUnderOther(line: line)
            }
    }
}
