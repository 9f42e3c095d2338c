import Cryptography
package import Sealing
import Storage

extension Verifier {
    var keys: KeyEncryptionKeys { keyRing.keys }

    /// Replaces the keys of a running verifier.
    ///
    /// From then on secrets are sealed under the newest key; `rotateKeys` seals the others again.
    /// First add the new key to the key file of every verifier of this store: otherwise they cannot
    /// open the new values.
    package func use(_ keys: KeyEncryptionKeys) {
        keyRing.replace(with: keys)
        keyRing.useNewestKey()
    }

    /// Fails if the keys are not those of the store, before anything is sealed under them.
    package func checkKeys() async throws(Failure) {
        _ = try await fingerprintKey()
    }

    /// Opens the store's own key for fingerprints.
    ///
    /// The first call for a new store creates it; later calls only read.
    func fingerprintKey() async throws(Failure) -> FingerprintKey {
        if let key = keyRing.fingerprintKey { return key }
        let (store, stored) = try await read { ledger throws(StoreFailure) in
            (try ledger.storeNames().id, try ledger.fingerprintKey())
        }
        let owner = SealOwner.fingerprintKey(of: store)
        let sealed = if let stored { stored } else { try await newFingerprintKey(for: owner) }
        let bytes = try open(sealed, for: owner, in: .verifier, [.integer(1)])
        guard let key = FingerprintKey(bytes) else {
            throw .sealedRecord(.notAuthentic)
        }
        keyRing.keep(key)
        return key
    }

    /// Returns the key of another process if that process stored its key first.
    private func newFingerprintKey(for owner: SealOwner) async throws(Failure) -> SealedValue {
        let new = try translatingSystemFailure(
            SecureBytes.random(count: FingerprintKey.byteCount),
            to: Failure.system
        )
        let sealed = try new.withBytes { new throws(Failure) in try seal(new, for: owner) }
        return try await write { ledger throws(StoreFailure) in
            try ledger.fingerprintKey(orFirst: sealed)
        }
    }
}
