import Cryptography
import Sealing
import Storage

extension RowSeal {
    /// Seals a value again if it is under an older key; returns whether it did.
    ///
    /// A value under the newest key in use is not opened.
    func sealAgain(_ value: inout SQLValue, of row: RowIdentity) throws(StoreFailure) -> Bool {
        guard case .bytes(let bytes) = value, let sealed = SealedValue(stored: bytes) else {
            throw .forged(row: row.description)
        }
        let newest = keys.versionInUse
        guard sealed.keyVersion != newest else { return false }
        guard sealed.keyVersion < newest else {
            // Another rotation can have added it to the file meanwhile.
            let known = keys.keys(opening: sealed).newestVersion
            throw known > newest
                ? .outdatedKey(version: newest) : .missingKey(version: sealed.keyVersion)
        }
        let opened: SecureBytes = try self.opened(value, of: row)
        value = try opened.withBytes { bytes throws(StoreFailure) in
            try self.sealed(bytes, for: row)
        }
        return true
    }

    /// Fails if the value is not the one that an ACS wrote for the row.
    func check(_ value: SQLValue, of row: RowIdentity) throws(StoreFailure) {
        guard case .bytes = value else { throw .forged(row: row.description) }
        let _: SecureBytes = try opened(value, of: row)
    }
}
