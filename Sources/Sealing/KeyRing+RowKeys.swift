package import Cryptography

extension KeyRing {
    /// The key for the tags of a store's rows, under one version of the encryption key.
    ///
    /// It is derived from the store's ids too, so the rows of another store, or of records that a
    /// restore discarded, are not authentic.
    package final class RowKey: Sendable {
        package let bytes: SecureBytes

        init(_ bytes: consuming SecureBytes) {
            self.bytes = bytes
        }
    }

    struct RowKeyName: Hashable {
        let version: UInt32
        let store: [UInt8]
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
