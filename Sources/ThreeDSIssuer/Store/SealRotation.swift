import Sealing
package import Storage

/// The outcome of sealing all rows again under the newest encryption key.
package struct SealRotation: Equatable, Sendable {
    /// The version of that key.
    package let version: UInt32
    /// The number of rows that were under an older key.
    package private(set) var moved = 0
    /// Rows that another program wrote, which stay as they are.
    package private(set) var forged = ReportedRows()
    /// Rows under keys that this process lacks, which stay as they are, too.
    package private(set) var locked = ReportedRows()
    /// Forged rows with a value under an older key, which could open it after a repair.
    package private(set) var underOlderKeys = ReportedRows()

    static let batchSize = 200

    fileprivate init(version: UInt32) { self.version = version }

    fileprivate struct Batch: Sendable {
        var moved = 0
        var unreadable: [(row: UnreadableRow, needsOlderKey: Bool)] = []
        /// Nil at the end of the table.
        var end: SQLValue?
    }

    fileprivate mutating func add(_ batch: Batch) {
        moved += batch.moved
        for (row, needsOlderKey) in batch.unreadable {
            guard row.missingKey == nil else {
                locked.append(row.text)
                continue
            }
            forged.append(row.text)
            if needsOlderKey { underOlderKeys.append(row.text) }
        }
    }
}

extension IssuerStore {
    /// Seals the rows that are under an older key, in one transaction for each batch.
    ///
    /// It continues where an interrupted rotation ended. Other nodes can write at the same time: a
    /// node that has not read the newest key yet leaves rows for the next call.
    package func sealAgain() async throws(StoreFailure) -> SealRotation {
        seal.keys.readChangedFile()
        var rotation = SealRotation(version: seal.keys.useNewestKey().newestVersion)
        for table in SealedTable.all {
            var last: SQLValue?
            repeat {
                let batch = try await database.write {
                    [seal, last] connection throws(StoreFailure) in
                    try seal.sealBatch(of: table, after: last, on: connection)
                }
                rotation.add(batch)
                last = batch.end
            } while last != nil
        }
        return rotation
    }
}

extension IssuerStore {
    package var newestKeyVersion: UInt32 { seal.keys.newestVersion }

    /// Whether the secrets, which a rotation moves first, are under the newest encryption key.
    ///
    /// If they are not, a key was added, and no row uses it yet.
    package func usesNewestKey() async throws(StoreFailure) -> Bool {
        seal.keys.readChangedFile()
        let newest = seal.keys.newestVersion
        return try await database.read { connection throws(StoreFailure) in
            let secrets = SealedTable.secrets
            let rows = try secrets.rows(connection, after: nil, limit: 1000)
            return rows.flatMap(\.values).contains { value in
                value.flatMap(RowSeal.keyVersion(of:)) == newest
            }
        }
    }
}

extension RowSeal {
    fileprivate func sealBatch(
        of table: SealedTable,
        after place: SQLValue?,
        on connection: any SQLConnection
    ) throws(StoreFailure) -> SealRotation.Batch {
        var batch = SealRotation.Batch()
        let rows = try table.rows(connection, after: place, limit: SealRotation.batchSize)
        for var row in rows {
            var isMoved = false
            let unreadable = try row.forEachValue(under: self, on: connection) {
                value,
                identity throws(StoreFailure) in
                if try sealAgain(&value, of: identity) { isMoved = true }
            }
            if let unreadable {
                let versions = row.values.compactMap { $0.flatMap(Self.keyVersion(of:)) }
                let needsOlderKey = versions.contains { $0 < keys.versionInUse }
                batch.unreadable.append((unreadable, needsOlderKey))
            }
            guard isMoved else { continue }
            try table.replace(row, on: connection)
            batch.moved += 1
        }
        batch.end = rows.last?.key
        return batch
    }

    /// Nil for a value without a key.
    fileprivate static func keyVersion(of value: SQLValue) -> UInt32? {
        guard case .bytes(let bytes) = value else { return nil }
        return SealedValue(stored: bytes)?.keyVersion
    }
}
