package import Cryptography
import PrivateFiles

extension KeyRing {
    /// The key for the tags of a store's rows, under one version of the encryption key.
    ///
    /// It is derived from the store's ids too, so the rows of another store, or of records that a
    /// restore discarded, are not authentic.
    package final class RowKey: Sendable {
        private let bytes: SecureBytes
        private let lock = Lock()
        // Only touched while `lock` is held.
        private nonisolated(unsafe) var idle: [Context] = []

        /// A context of OpenSSL, which has state of the key in ordinary memory.
        ///
        /// A new one costs more than a MAC.
        private final class Context {
            let hmac: HMAC

            init(_ hmac: consuming HMAC) {
                self.hmac = hmac
            }
        }

        /// At least as many as threads usually authenticate rows at the same time.
        private static let maximumIdleCount = 4

        init(_ bytes: consuming SecureBytes) {
            self.bytes = bytes
        }

        package func authenticate(_ message: Span<UInt8>) throws(CryptographyFailure) -> Digest {
            let context = try takeContext()
            let mac = try context.hmac.authenticate(message)
            lock.locked { if idle.count < Self.maximumIdleCount { idle.append(context) } }
            return mac
        }

        private func takeContext() throws(CryptographyFailure) -> Context {
            if let context = lock.locked({ idle.popLast() }) { return context }
            return Context(try HMAC(.sha512, key: bytes))
        }
    }

    struct RowKeyName: Hashable {
        let version: UInt32
        let store: [UInt8]

        /// Each transaction finds its key by this name, and `Array` combines its bytes one by one.
        func hash(into hasher: inout Hasher) {
            hasher.combine(version)
            store.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// Returns nil if the encryption key of this version is missing.
    package func rowKey(
        version: UInt32,
        of store: [UInt8]
    ) throws(CryptographyFailure) -> RowKey? {
        let name = RowKeyName(version: version, store: store)
        if let key = rowKey(name) { return key }
        let info = Array("countersign row key 1".utf8) + store
        let keys = keys(withVersion: version)
        guard let bytes = try keys.derivedKey(version: version, info: info.span) else { return nil }
        let key = RowKey(bytes)
        keep(key, as: name)
        return key
    }
}
