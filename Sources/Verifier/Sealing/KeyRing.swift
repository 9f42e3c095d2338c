import Cryptography

/// The keys that a running verifier has, which are exchanged as one.
///
/// Work that began under the old ones ends under them.
final class KeyRing: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var current: KeyEncryptionKeys
    private nonisolated(unsafe) var openedFingerprintKey: FingerprintKey?

    init(_ keys: KeyEncryptionKeys) {
        current = keys
    }

    var keys: KeyEncryptionKeys { lock.locked { current } }

    func exchange(for keys: KeyEncryptionKeys) {
        lock.locked { current = keys }
    }

    var fingerprintKey: FingerprintKey? { lock.locked { openedFingerprintKey } }

    func keep(_ key: FingerprintKey) {
        lock.locked { openedFingerprintKey = key }
    }
}

/// Names calls that have a code in them: nobody without it can test a code by such a name.
///
/// It is the store's own, random and sealed in it, so that a call is known again after a rotation.
final class FingerprintKey: Sendable {
    private let bytes: SecureBytes

    /// Nil where it has not exactly 32 bytes.
    init?(_ bytes: consuming SecureBytes) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    static let byteCount = 32

    /// For many messages, each of them in parts.
    func chain() throws(CryptographyFailure) -> HMAC {
        try HMAC(.sha256, key: bytes)
    }

    func fingerprint(of message: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        try HMAC(.sha256, key: bytes).authenticate(message.span).array
    }
}

extension Verifier {
    var keys: KeyEncryptionKeys { keyRing.keys }

    /// Gives a running verifier its keys anew, as they were read from their file again.
    ///
    /// From then on secrets are sealed under the newest; `rotateKeys` moves the others. Every other
    /// verifier of this store needs the new key before, or cannot open what this one seals.
    package func use(_ keys: KeyEncryptionKeys) {
        keyRing.exchange(for: keys)
    }

    /// Refuses keys that are not those of the store, before anything is sealed under them.
    package func checkKeys() async throws(Failure) {
        _ = try await fingerprintKey()
    }

    /// Opens the store's own key for fingerprints, and makes it the first time.
    func fingerprintKey() async throws(Failure) -> FingerprintKey {
        if let key = keyRing.fingerprintKey { return key }
        let fresh = try onThisMachine { () throws(CryptographyFailure) in
            try SecureBytes.random(count: FingerprintKey.byteCount)
        }
        let store = try await write { ledger throws(StoreFailure) in try ledger.state().id }
        let owner = SealOwner.fingerprintKey(of: store)
        let sealed = try fresh.withBytes { fresh throws(Failure) in try seal(fresh, for: owner) }
        let kept = try await write { ledger throws(StoreFailure) in
            try ledger.fingerprintKey(orFirst: sealed)
        }
        guard let key = FingerprintKey(try open(kept, for: owner)) else {
            throw .sealedRecord(.notAuthentic)
        }
        keyRing.keep(key)
        return key
    }
}
