import Cryptography
import OneTimePassword

/// The source of the key for a document's encrypted values.
enum EncryptionKey {
    case preShared(SecretBytes)
    case derived(KeyDerivation, password: SecretBytes)

    var byteCount: Int {
        switch self {
        case .preShared(let key): key.byteCount
        case .derived(let derivation, _): derivation.keyByteCount
        }
    }

    func bytes() throws(CryptographyFailure) -> SecureBytes {
        switch self {
        case .preShared(let key):
            try key.withBytes { key throws(CryptographyFailure) in try SecureBytes(copying: key) }
        case .derived(let derivation, let password): try derivation.key(from: password)
        }
    }
}

extension EncryptionKey {
    init(
        reading container: XMLElement,
        unlockedBy unlock: PSKCDocument.Unlock
    ) throws(PSKCDocument.ReadingFailure) {
        let element = try container.child("EncryptionKey")
        let derivedKey = try element?.child("DerivedKey", in: [.encryption11])
        switch (derivedKey, unlock) {
        case (nil, .preSharedKey(let key)): self = .preShared(key)
        case (nil, _): throw .preSharedKeyNeeded
        case (let derivedKey?, .password(let password)):
            self = .derived(try KeyDerivation(reading: derivedKey), password: password)
        case (_?, _): throw .passwordNeeded
        }
    }
}
