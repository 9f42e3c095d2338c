package import Cryptography

/// The verifier's keys for secrets at rest, which come from outside the database.
///
/// New secrets are sealed under the newest key, unless a `KeyRing` knows that the store does not use
/// it yet. Each row has a key of its own, derived from its owner.
package final class KeyEncryptionKeys: Sendable {
    package enum Failure: Error, Equatable, Sendable {
        /// The key with this version is missing.
        case keyMissing(version: UInt32)
        /// The row was changed, or moved here from another owner.
        case notAuthentic
        case system(SystemFailure)
    }

    /// One key with its version; newer keys have larger numbers.
    package final class Key: Sendable {
        package let version: UInt32
        let bytes: SecureBytes

        /// Returns nil if there are not exactly 32 bytes.
        package init?(version: UInt32, bytes: consuming SecureBytes) {
            guard bytes.count == AESGCM.keyByteCount else { return nil }
            self.version = version
            self.bytes = bytes
        }
    }

    private let keys: [UInt32: Key]
    private let newest: Key

    /// Returns nil if there is no key, or two keys have the same version.
    package init?(_ keys: [Key]) {
        guard
            let newest = keys.max(by: { $0.version < $1.version }),
            Set(keys.map(\.version)).count == keys.count
        else { return nil }
        self.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.version, $0) })
        self.newest = newest
    }

    package var newestVersion: UInt32 { newest.version }
    package var versions: Set<UInt32> { Set(keys.keys) }

    func contains(_ version: UInt32) -> Bool { keys[version] != nil }

    /// Nil if all keys are older than `version`.
    func removing(olderThan version: UInt32) -> KeyEncryptionKeys? {
        KeyEncryptionKeys(keys.values.filter { $0.version >= version })
    }

    package func seal(
        _ secret: Span<UInt8>,
        for owner: SealOwner
    ) throws(Failure) -> SealedValue {
        try seal(secret, for: owner, under: newest)
    }

    package func seal(
        _ secret: Span<UInt8>,
        for owner: SealOwner,
        underVersion version: UInt32
    ) throws(Failure) -> SealedValue {
        guard let key = keys[version] else { throw .keyMissing(version: version) }
        return try seal(secret, for: owner, under: key)
    }

    private func seal(
        _ secret: Span<UInt8>,
        for owner: SealOwner,
        under key: Key
    ) throws(Failure) -> SealedValue {
        do throws(CryptographyFailure) {
            let nonce = try randomBytes(count: AESGCM.nonceByteCount)
            let rowKey = try rowKey(under: key, for: owner)
            let stored = try AESGCM.seal(
                secret,
                key: rowKey,
                nonce: nonce.span,
                authenticating: owner.bytes.span,
                after: SealedValue.start(ofVersion: key.version) + nonce
            )
            return SealedValue(keyVersion: key.version, stored: stored)
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    package func open(
        _ value: SealedValue,
        for owner: SealOwner
    ) throws(Failure) -> SecureBytes {
        try open(value, owner) { sealed, key, nonce throws(CryptographyFailure) in
            try AESGCM.open(sealed, key: key, nonce: nonce, authenticating: owner.bytes.span)
        }
    }

    /// The same for content that is not a secret, in ordinary memory.
    package func openContent(
        _ value: SealedValue,
        for owner: SealOwner
    ) throws(Failure) -> [UInt8] {
        try open(value, owner) { sealed, key, nonce throws(CryptographyFailure) in
            try AESGCM.openContent(sealed, key: key, nonce: nonce, authenticating: owner.bytes.span)
        }
    }

    private typealias Opening<Content: ~Copyable> = (
        _ sealed: Span<UInt8>, _ key: borrowing SecureBytes, _ nonce: Span<UInt8>
    ) throws(CryptographyFailure) -> Content

    private func open<Content: ~Copyable>(
        _ value: SealedValue,
        _ owner: SealOwner,
        by open: Opening<Content>
    ) throws(Failure) -> Content {
        guard let key = keys[value.keyVersion] else { throw .keyMissing(version: value.keyVersion) }
        let bytes = value.stored.span.extracting(droppingFirst: SealedValue.headerByteCount)
        guard bytes.count >= AESGCM.nonceByteCount else { throw .notAuthentic }
        do throws(CryptographyFailure) {
            let rowKey = try rowKey(under: key, for: owner)
            return try open(
                bytes.extracting(droppingFirst: AESGCM.nonceByteCount),
                rowKey,
                bytes.extracting(first: AESGCM.nonceByteCount)
            )
        } catch .authenticationFailed {
            throw .notAuthentic
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    /// A key for another use of the same version; nil if that version is missing.
    package func derivedKey(
        version: UInt32,
        info: Span<UInt8>
    ) throws(CryptographyFailure) -> SecureBytes? {
        guard let key = keys[version] else { return nil }
        return try HKDF.expand(from: key.bytes, info: info, byteCount: AESGCM.keyByteCount)
    }

    private func rowKey(
        under key: Key,
        for owner: SealOwner
    ) throws(CryptographyFailure) -> SecureBytes {
        try HKDF.expand(from: key.bytes, info: owner.bytes.span, byteCount: AESGCM.keyByteCount)
    }
}
