import Sealing
import Storage
import TransactionApproval

/// The place of a sealed value, at which a rotation replaces it.
struct SealedPlace: Sendable {
    let owner: SealOwner
    let value: SealedValue
    fileprivate let replacement: Statement
    fileprivate let key: [SQLValue]
}

/// A table with sealed values, which is read in the order of its primary key.
struct SealedTable: Sendable {
    fileprivate let table: Table
    fileprivate let column: Column
    /// A key before all others.
    fileprivate let first: [SQLValue]
    fileprivate let select: Statement
    fileprivate let count: Statement
    fileprivate let replacement: Statement
    fileprivate let owner: @Sendable (Row) throws(StoreFailure) -> SealOwner
    /// Whether a row may have no value.
    fileprivate let mayBeEmpty: @Sendable (Row, Ledger) throws(StoreFailure) -> Bool
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

    /// Rejects values under keys older than `version` from now on, if no stored value is under one.
    ///
    /// Returns the number of values under each version.
    func endKeys(olderThan version: UInt32) throws(StoreFailure) -> [UInt32: Int] {
        let counts = try sealedCounts()
        if counts.keys.allSatisfy({ $0 == version }) {
            var state = try state()
            guard state.minimumKeyVersion < version else { return counts }
            state.minimumKeyVersion = version
            try save(state, by: Self.raiseMinimumVersion)
        }
        return counts
    }

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
    fileprivate func mustHaveFingerprintKey() throws(StoreFailure) -> Bool {
        try state().audit != .empty
    }

    /// The sealed values in the next `limit` rows after `key`; nil at the end of the table.
    func sealedPlaces(
        in table: SealedTable,
        after key: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (places: [SealedPlace], last: [SQLValue])? {
        var last: [SQLValue]?
        var places: [SealedPlace] = []
        let values = (key ?? table.first) + [SQLValue(limit)]
        for row in try connection.rows(table.select, values) {
            let key = try row[table.table.key]
            last = key
            let value = try reading(row, of: table.table, key) { row throws(StoreFailure) in
                try row.optionalSealedValue(table.column)
            }
            guard let value else { continue }
            let (owner, replacement) = (try table.owner(row), table.replacement)
            places.append(
                SealedPlace(owner: owner, value: value, replacement: replacement, key: key)
            )
        }
        return last.map { (places, $0) }
    }

    /// The next rows whose secrets do not open; nil at the end of the table.
    func unopenedRows(
        in table: SealedTable,
        after key: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (rows: [String], last: [SQLValue])? {
        let found = try connection.rows(table.select, (key ?? table.first) + [SQLValue(limit)])
        guard let end = found.last else { return nil }
        var unopened: [String] = []
        for row in found where try !opens(row, of: table) {
            unopened.append(table.table.description(of: try row[table.table.key]))
        }
        return (unopened, try end[table.table.key])
    }

    private func opens(_ row: Row, of table: SealedTable) throws(StoreFailure) -> Bool {
        guard let keyRing else { return true }
        guard try row[table.column] != .null else { return try table.mayBeEmpty(row, self) }
        // `try?`: a malformed value does not open either.
        guard
            let value = try? row.optionalSealedValue(table.column),
            let owner = try? table.owner(row)
        else { return false }
        do throws(KeyEncryptionKeys.Failure) {
            _ = try keyRing.keys(opening: value).open(value, for: owner)
            return true
        } catch .system(let failure) {
            throw .system(failure)
        } catch {
            return false
        }
    }

    /// Replaces a value if it was not changed since; returns false if it was.
    func replace(_ place: SealedPlace, by value: SealedValue) throws(StoreFailure) -> Bool {
        try connection.run(
            place.replacement,
            [.bytes(place.value.stored), .bytes(try stored(value))] + place.key
        ) == 1
    }

    /// The number of sealed values under each key version.
    func sealedCounts() throws(StoreFailure) -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        for table in SealedTable.all {
            for row in try connection.rows(table.count, []) {
                let version = try row.bytes(.sealedVersion).reduce(0) { $0 << 8 | UInt32($1) }
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

extension Column {
    /// Computed: the key version inside a sealed value.
    fileprivate static let sealedVersion = Column("sealed_version")
}

extension SealedTable {
    static let all = [seeds, codes, numbers, fingerprintKeys]

    private static let seeds = SealedTable(
        table: .credentials,
        column: .seed,
        first: [.bytes([]), .integer(0)],
        select: Statement(
            """
            SELECT \(.account + [.publicKey, .tokenSuite], of: .devices),
                \([.device, .kind, .id, .generation, .seed], of: .credentials)
            FROM credentials JOIN devices ON devices.id = credentials.device
            \(after: Table.credentials.key, of: .credentials)
            """
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(seed, 2, 4)"), \(.count, from: "COUNT(*)")
            FROM credentials GROUP BY 1
            """
        ),
        replacement: Statement(
            "UPDATE credentials SET seed = $2 WHERE device = $3 AND kind = $4 AND seed = $1"
        ),
        owner: { row throws(StoreFailure) in try secretOwner(row) },
        mayBeEmpty: { _, _ in false }
    )

    private static func secretOwner(_ row: Row) throws(StoreFailure) -> SealOwner {
        let account = try row.account()
        let credential = CredentialContext(
            enterprise: account.enterprise,
            id: try row.identifier(.id),
            kind: try row.credentialKind(),
            generation: Generation(try row.number(.generation))
        )
        let device: DeviceID = try row.identifier(.device)
        return .secret(of: credential, on: device, try row.deviceKind(), for: account)
    }

    private static let codes = SealedTable(
        table: .activations,
        column: .code,
        first: [.text("")],
        select: Statement(
            "SELECT \(.account + [.id, .closed, .code]) FROM activations \(after: [.id])"
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(code, 2, 4)"), \(.count, from: "COUNT(*)")
            FROM activations WHERE code IS NOT NULL GROUP BY 1
            """
        ),
        replacement: Statement("UPDATE activations SET code = $2 WHERE id = $3 AND code = $1"),
        owner: { row throws(StoreFailure) in
            .code(of: try row.identifier(.id), for: try row.account())
        },
        // The code of a closed activation is erased.
        mayBeEmpty: { row, _ throws(StoreFailure) in try !row.isNull(.closed) }
    )

    private static let numbers = SealedTable(
        table: .transactions,
        column: .number,
        first: [.text("")],
        select: Statement("SELECT \(.account + [.id, .number]) FROM transactions \(after: [.id])"),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(number, 2, 4)"), \(.count, from: "COUNT(*)")
            FROM transactions WHERE number IS NOT NULL GROUP BY 1
            """
        ),
        replacement: Statement("UPDATE transactions SET number = $2 WHERE id = $3 AND number = $1"),
        owner: { row throws(StoreFailure) in
            .number(of: try row.identifier(.id), for: try row.account())
        },
        // The tag proves whether there is a number.
        mayBeEmpty: { _, _ in true }
    )

    private static let fingerprintKeys = SealedTable(
        table: .verifier,
        column: .fingerprintKey,
        first: [.integer(0)],
        select: Statement(
            "SELECT \([.id, .storeID, .fingerprintKey]) FROM verifier \(after: [.id])"
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(fingerprint_key, 2, 4)"),
                \(.count, from: "COUNT(*)")
            FROM verifier WHERE fingerprint_key IS NOT NULL GROUP BY 1
            """
        ),
        replacement: Statement(
            "UPDATE verifier SET fingerprint_key = $2 WHERE id = $3 AND fingerprint_key = $1"
        ),
        owner: { row throws(StoreFailure) in .fingerprintKey(of: try row.bytes(.storeID)) },
        mayBeEmpty: { _, ledger throws(StoreFailure) in try !ledger.mustHaveFingerprintKey() }
    )
}
