import Glibc
import PrivateFiles

/// The keys of a running verifier, which are replaced as a whole.
///
/// Work that began with the old keys ends with them. Another verifier of the store may use a newer
/// key at any time. Then this verifier reads the key file again, once for each change of the file. It
/// also does so before it trusts an older key, because the file may no longer contain that key.
///
/// A newer key can be in the file of this verifier, and not in those of others. So new values are
/// sealed under the version that the store uses, until a rotation uses a newer one.
package final class KeyRing: Sendable {
    private let lock = Lock()
    // Only used while `lock` is held.
    private nonisolated(unsafe) var current: KeyEncryptionKeys
    private nonisolated(unsafe) var minimum: UInt32 = 0
    /// The newest version that the store uses; nil before it was read.
    private nonisolated(unsafe) var used: UInt32?
    private nonisolated(unsafe) var openedFingerprintKey: FingerprintKey?
    private nonisolated(unsafe) var rowKeys: [RowKeyName: RowKey] = [:]
    /// Nil for keys that did not come from a file.
    private let path: String?
    /// Opens the keys in the file; nil if they are not sealed.
    private let fileKey: KeyEncryptionKeys?
    /// Held while the file is read: other callers need the result, too.
    private let reading = Lock()
    // Only used while `reading` is held.
    private nonisolated(unsafe) var lastRead: FileVersion?

    package init(
        _ keys: KeyEncryptionKeys,
        readFrom path: String? = nil,
        sealedUnder fileKey: KeyEncryptionKeys? = nil
    ) {
        current = keys
        (self.path, self.fileKey) = (path, fileKey)
    }

    package var keys: KeyEncryptionKeys { lock.locked { current } }

    package var newestVersion: UInt32 { lock.locked { current.newestVersion } }

    /// The version for new values and tags.
    package var versionInUse: UInt32 { lock.locked { currentInUse } }

    // Only called while `lock` is held.
    private var currentInUse: UInt32 {
        if let used, current.contains(used) { used } else { current.newestVersion }
    }

    /// Notes that the store uses this version.
    package func noteUse(of version: UInt32) {
        lock.locked { used = max(used ?? 0, version) }
    }

    /// Uses the newest key from now on, as a rotation does, and returns the keys.
    @discardableResult
    package func useNewestKey() -> KeyEncryptionKeys {
        lock.locked {
            used = current.newestVersion
            return current
        }
    }

    /// Seals a new value under the version in use.
    package func seal(
        _ secret: Span<UInt8>,
        for owner: SealOwner
    ) throws(KeyEncryptionKeys.Failure) -> SealedValue {
        let (keys, version) = lock.locked { (current, currentInUse) }
        return try keys.seal(secret, for: owner, underVersion: version)
    }

    package func replace(with keys: KeyEncryptionKeys) {
        lock.locked {
            current = keys.removing(olderThan: minimum) ?? keys
            rowKeys = [:]
        }
    }

    /// The oldest version that is not retired.
    package var minimumVersion: UInt32 { lock.locked { minimum } }

    /// Forgets the keys older than `version`, even if the file still contains them.
    package func retire(olderThan version: UInt32) {
        lock.locked {
            guard version > minimum else { return }
            minimum = version
            current = current.removing(olderThan: version) ?? current
            rowKeys = [:]
        }
    }

    /// A ring with the keys of now, which keeps them if this one or the file loses some.
    package func copied() -> KeyRing {
        readChangedFile()
        let (keys, version) = lock.locked { (current, minimum) }
        let copy = KeyRing(keys)
        copy.retire(olderThan: version)
        return copy
    }

    /// The keys that open a value.
    package func keys(opening value: SealedValue) -> KeyEncryptionKeys {
        keys(withVersion: value.keyVersion)
    }

    /// The keys up to a version.
    ///
    /// If it is newer than all known ones, reads the file.
    package func keys(withVersion version: UInt32) -> KeyEncryptionKeys {
        let known = keys
        guard version > known.newestVersion else { return known }
        readChangedFile()
        return keys
    }

    /// Takes the keys of the file if it changed and does not lack the newest key.
    ///
    /// An invalid file changes nothing; the caller reports that its key is missing.
    package func readChangedFile() {
        guard let path else { return }
        reading.locked {
            guard let version = FileVersion(path), version != lastRead else { return }
            do throws(KeyFile.Failure) {
                let read = try KeyFile.encryptionKeys(in: .file(path), sealedUnder: fileKey)
                if read.newestVersion >= keys.newestVersion { replace(with: read) }
            } catch .file, .system {
                // A lack of descriptors or memory, or a wrong permission, may end without a change
                // of the contents, so the file is read again.
                return
            } catch {}
            lastRead = version
        }
    }

    func rowKey(_ name: RowKeyName) -> RowKey? { lock.locked { rowKeys[name] } }

    func keep(_ key: RowKey, as name: RowKeyName) {
        lock.locked {
            // Another thread may have removed the key that this one was derived from.
            guard current.versions.contains(name.version) else { return }
            // An attacker can write any number of false ids into the row of the verifier.
            if rowKeys.count >= Self.maximumRowKeys { rowKeys = [:] }
            rowKeys[name] = key
        }
    }

    private static let maximumRowKeys = 64

    package var fingerprintKey: FingerprintKey? { lock.locked { openedFingerprintKey } }

    package func keep(_ key: FingerprintKey) {
        lock.locked { openedFingerprintKey = key }
    }
}

/// Changes if the file is changed or replaced.
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
