import Cryptography
import Glibc

/// The keys that a running verifier has, which are exchanged as one.
///
/// Work that began under the old ones ends under them. Another verifier of the store may begin with
/// a newer key at any time: then the file of keys is read again, as often as it changes.
final class KeyRing: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var current: KeyEncryptionKeys
    private nonisolated(unsafe) var openedFingerprintKey: FingerprintKey?
    /// Nil for keys that came from no file.
    private let path: String?
    /// Held while the file is read: who comes meanwhile needs what is read too.
    private let reading = Lock()
    // Only touched while `reading` is held.
    private nonisolated(unsafe) var lastRead: FileVersion?

    init(_ keys: KeyEncryptionKeys, readFrom path: String?) {
        current = keys
        self.path = path
    }

    var keys: KeyEncryptionKeys { lock.locked { current } }

    func exchange(for keys: KeyEncryptionKeys) {
        lock.locked { current = keys }
    }

    /// The keys that a secret is opened by; a newer one than all that are here may be in the file.
    func keys(opening value: SealedValue) -> KeyEncryptionKeys {
        let known = keys
        guard value.keyVersion > known.newestVersion else { return known }
        readChangedFile()
        return keys
    }

    /// Takes the keys of the file, if it holds a newer one, and was not read since it was changed.
    ///
    /// A file that is no good leaves everything as it was: whoever needs the key says that it is
    /// missing.
    func readChangedFile() {
        guard let path else { return }
        reading.locked {
            guard let version = FileVersion(path), version != lastRead else { return }
            lastRead = version
            // A file that is none now is read again when it is another; the keys that are here stay.
            guard
                let read = try? KeyFile.encryptionKeys(in: .file(path)),
                read.newestVersion > keys.newestVersion
            else { return }
            exchange(for: read)
        }
    }

    /// Takes the keys of the file, whatever they are.
    func readFile() throws(KeyFile.Failure) {
        guard let path else { return }
        exchange(for: try KeyFile.encryptionKeys(in: .file(path)))
    }

    var fingerprintKey: FingerprintKey? { lock.locked { openedFingerprintKey } }

    func keep(_ key: FingerprintKey) {
        lock.locked { openedFingerprintKey = key }
    }
}

/// Tells a file from what has its name later, and from itself once it is changed.
private struct FileVersion: Equatable {
    private let numbers: [Int]

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        numbers = [
            Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec,
        ]
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
    /// verifier of this store needs the new key in its file before, or cannot open what this one
    /// seals.
    package func use(_ keys: KeyEncryptionKeys) {
        keyRing.exchange(for: keys)
    }

    /// Reads the file of keys again, now; where it is no good, the verifier goes on as before.
    ///
    /// For an operator who wants it. It is not needed: what is sealed under a newer key has the file
    /// read again, on the thread that opens secrets, where no other decision waits for it.
    package func reloadKeys() async throws(KeyFile.Failure) {
        let ring = keyRing
        let result: Result<Void, KeyFile.Failure>
        do throws(StoreFailure) {
            result = try await Thread.run { () throws(StoreFailure) in
                Result { () throws(KeyFile.Failure) in try ring.readFile() }
            }
        } catch {
            throw .file(error)
        }
        try result.get()
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
