import Sealing
import Storage
import TransactionApproval

/// The place of a sealed value, at which a rotation replaces it.
struct SealedPlace: Sendable {
    let owner: SealOwner
    let value: SealedValue
    /// The table and key of its row.
    let row: String
    fileprivate let replacement: Statement
    fileprivate let key: [SQLValue]
}

/// The sealed values of some rows.
struct SealedPage: Sendable {
    var places: [SealedPlace] = []
    /// The rows with a value that no verifier has written.
    var forged: [String] = []
    /// The key of the last row.
    let last: [SQLValue]
}

extension Ledger {
    /// The stored bytes of a sealed value; fails if its key version is no longer allowed.
    ///
    /// A process that has not read the newest key file would seal under an old key. If that key was
    /// removed, the value could never be opened.
    func stored(_ value: SealedValue) throws(StoreFailure) -> [UInt8] {
        guard value.keyVersion >= (try minimumKeyVersion()) else {
            throw .outdatedKey(version: value.keyVersion)
        }
        return value.stored
    }

    func minimumKeyVersion() throws(StoreFailure) -> UInt32 {
        try state().minimumKeyVersion
    }

    /// Rejects values under keys older than `version` from now on; returns false if it already did.
    func endKeys(olderThan version: UInt32) throws(StoreFailure) -> Bool {
        var state = try state()
        guard state.minimumKeyVersion < version else { return false }
        state.minimumKeyVersion = version
        try save(state, by: Self.raiseMinimumVersion)
        return true
    }

    /// Whether a value needs a key older than `version`; a forged one needs none.
    func hasSecrets(olderThan version: UInt32) throws(StoreFailure) -> Bool {
        guard let keyRing else { throw .misuse }
        let start = SQLValue.bytes(SealedValue.start(ofVersion: version))
        for table in SealedTable.all where try row(table.older, [start]) != nil {
            var last: [SQLValue]?
            while let page = try sealedPlaces(in: table, after: last, limit: Self.rowsAtOnce) {
                last = page.last
                for place in page.places where place.value.keyVersion < version {
                    let failure = try keyRing.failure(toOpen: place.value, for: place.owner)
                    // Without the key, nothing shows whether the value is forged.
                    if failure != .notAuthentic { return true }
                }
            }
        }
        return false
    }

    private static let rowsAtOnce = 500

    /// The store's key for fingerprints; stores `first` if there is none.
    func fingerprintKey(orFirst first: SealedValue) throws(StoreFailure) -> SealedValue {
        // Read first: `first` may be under a key version that is no longer allowed.
        if let kept = try fingerprintKey() { return kept }
        try connection.run(Self.insertFingerprintKey, [.bytes(try stored(first))])
        guard let kept = try fingerprintKey() else { throw .damaged }
        return kept
    }

    func fingerprintKey() throws(StoreFailure) -> SealedValue? {
        guard let row = try row(Self.selectFingerprintKey, []) else { throw .damaged }
        let key = try reading(row, of: .verifier, Self.verifierKey) { row throws(StoreFailure) in
            try row.optionalSealedValue(.fingerprintKey)
        }
        if key == nil, try mustHaveFingerprintKey() {
            throw .forged(row: Table.verifier.description(of: Self.verifierKey))
        }
        return key
    }

    /// A verifier creates the key before its first record.
    func mustHaveFingerprintKey() throws(StoreFailure) -> Bool {
        try state().audit != .empty
    }

    /// The sealed values in the next `limit` rows after `key`; nil at the end of the table.
    func sealedPlaces(
        in table: SealedTable,
        after key: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> SealedPage? {
        let found = try page(table.select, of: table.table, after: key, limit: limit)
        guard let found else { return nil }
        var page = SealedPage(last: found.last)
        for row in found.rows {
            let key = try row[table.table.key]
            let name = table.table.description(of: key)
            do throws(StoreFailure) {
                guard let value = try row.optionalSealedValue(table.column) else { continue }
                guard try isInUse(value.keyVersion) else { throw .damaged }
                page.places.append(
                    SealedPlace(
                        owner: try table.owner(row),
                        value: value,
                        row: name,
                        replacement: table.replacement,
                        key: key
                    )
                )
            } catch {
                guard error == .damaged else { throw error }
                page.forged.append(name)
            }
        }
        return page
    }

    /// The next rows whose secrets do not open; nil at the end of the table.
    func unopenedRows(
        in table: SealedTable,
        after key: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (rows: [String], last: [SQLValue])? {
        let page = try page(table.select, of: table.table, after: key, limit: limit)
        guard let page else { return nil }
        var unopened: [String] = []
        for row in page.rows where try !opens(row, of: table) {
            unopened.append(table.table.description(of: try row[table.table.key]))
        }
        return (unopened, page.last)
    }

    private func opens(_ row: Row, of table: SealedTable) throws(StoreFailure) -> Bool {
        guard let keyRing else { return true }
        guard try row[table.column] != .null else { return try table.mayBeEmpty(row, self) }
        // `try?`: a malformed value does not open either.
        guard
            let value = try? row.optionalSealedValue(table.column),
            let owner = try? table.owner(row)
        else { return false }
        return try keyRing.failure(toOpen: value, for: owner) == nil
    }

    /// Replaces a value if it was not changed since; returns false if it was.
    func replace(_ place: SealedPlace, by value: SealedValue) throws(StoreFailure) -> Bool {
        try connection.run(
            place.replacement,
            [.bytes(place.value.stored), .bytes(try stored(value))] + place.key
        ) == 1
    }

    /// The number of sealed values under each key version that a verifier can have used.
    func sealedCounts() throws(StoreFailure) -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        for table in SealedTable.all {
            for row in try connection.rows(table.count, []) {
                // A value of an attacker can be shorter.
                guard case .bytes(let bytes) = try row[.sealedVersion] else { continue }
                let version = bytes.reduce(0) { $0 << 8 | UInt32($1) }
                guard try isInUse(version) else { continue }
                counts[version, default: 0] += Int(try row.integer(.count))
            }
        }
        return counts
    }

    private static let verifierKey: [SQLValue] = [.integer(1)]
    private static let raiseMinimumVersion = Statement(
        """
        UPDATE verifier SET \(set: [.minimumKeyVersion, .tag])
        WHERE id = 1 AND minimum_key_version < \(valueOf: .minimumKeyVersion)
        """
    )
    private static let insertFingerprintKey = Statement(
        "UPDATE verifier SET fingerprint_key = $1 WHERE id = 1 AND fingerprint_key IS NULL"
    )
    private static let selectFingerprintKey = Statement(
        "SELECT \([.fingerprintKey]) FROM verifier WHERE id = 1"
    )
}

extension KeyRing {
    /// Nil if the value opens.
    fileprivate func failure(
        toOpen value: SealedValue,
        for owner: SealOwner
    ) throws(StoreFailure) -> KeyEncryptionKeys.Failure? {
        do throws(KeyEncryptionKeys.Failure) {
            _ = try keys(opening: value).open(value, for: owner)
            return nil
        } catch .system(let failure) {
            throw .system(failure)
        } catch {
            return error
        }
    }
}
