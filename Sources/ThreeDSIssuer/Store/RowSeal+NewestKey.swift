import Sealing
import Storage

extension RowSeal {
    /// Fails if a rotation has replaced the newest key of this process.
    ///
    /// A rotation seals the secrets first. So no row is written under an older key than they have, and
    /// the old keys can be removed after the rotation. Nor is one written under a newer key, which
    /// other nodes can lack.
    func checkNewestKey(on connection: any SQLConnection) throws(StoreFailure) {
        guard let row = try connection.rows(.cardSecret, []).first,
            let secret = SealedValue(stored: try row.bytes(.sealed))
        else { throw .damaged }
        let newest = keys.keys(opening: secret).newestVersion
        guard newest >= secret.keyVersion else { throw .outdatedKey(version: newest) }
        keys.noteUse(of: secret.keyVersion)
    }

    /// Whether a value is sealed under the newest key in use, or empty.
    ///
    /// One that was sealed before such a rotation is not.
    func isNewest(_ value: SQLValue) -> Bool {
        guard case .bytes(let bytes) = value, let sealed = SealedValue(stored: bytes)
        else { return true }
        return sealed.keyVersion == keys.versionInUse
    }
}

extension Statement {
    fileprivate static let cardSecret = Statement(
        "SELECT \([Column.sealed]) FROM secrets WHERE name = 'cards'"
    )
}
