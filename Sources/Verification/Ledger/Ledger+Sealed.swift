import TransactionApproval

/// A sealed value where it lies, so that another can take its place, and nobody else's.
struct SealedPlace: Sendable {
    let owner: SealOwner
    let value: SealedValue
    fileprivate let replacement: Statement
    fileprivate let key: [SQLValue]
}

/// A place in the order of a table's primary key, to read on from.
struct SealedTable: Sendable {
    fileprivate let select: Statement
    fileprivate let count: Statement
    fileprivate let first: [SQLValue]
    fileprivate let read: @Sendable (Row) throws(StoreFailure) -> (key: [SQLValue], SealedPlace?)
}

extension Ledger {
    /// What is stored of a sealed value; refused if it is under a key that is used no more.
    ///
    /// Whoever read the keys before a newer one was added goes on to seal under an old one: after
    /// that was removed, nobody could open what he stored.
    func stored(_ value: SealedValue) throws(StoreFailure) -> [UInt8] {
        guard value.keyVersion >= (try minimumKeyVersion()) else {
            throw .outdatedKey(version: value.keyVersion)
        }
        return value.stored
    }

    private func minimumKeyVersion() throws(StoreFailure) -> UInt32 {
        if let version = recorded.minimumKeyVersion { return version }
        return try state().minimumKeyVersion
    }

    /// Lets nothing be stored any more under keys older than `version`, unless something is; says
    /// how much is under which.
    func endKeys(olderThan version: UInt32) throws(StoreFailure) -> [UInt32: Int] {
        let counts = try sealedCounts()
        if counts.keys.allSatisfy({ $0 == version }) {
            _ = try connection.run(Self.raiseLeastVersion, [.integer(Int64(version))])
            recorded.minimumKeyVersion = nil
        }
        return counts
    }

    /// The store's key for fingerprints, which is `first` where there was none.
    func fingerprintKey(orFirst first: SealedValue) throws(StoreFailure) -> SealedValue {
        // Looked for first: `first` may be under a key that is used no more.
        if let kept = try fingerprintKey() { return kept }
        _ = try connection.run(Self.insertFingerprintKey, [.bytes(try stored(first))])
        guard let kept = try fingerprintKey() else { throw .damaged }
        return kept
    }

    private func fingerprintKey() throws(StoreFailure) -> SealedValue? {
        guard let row = try row(Self.selectFingerprintKey, []) else { throw .damaged }
        return try row.optionalBytes(0) == nil ? nil : row.sealedValue(0)
    }

    /// The sealed values in the next `limit` rows after `key`; nil at the end of the table.
    func sealedPlaces(
        in table: SealedTable,
        after key: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (places: [SealedPlace], last: [SQLValue])? {
        let rows = try connection.rows(
            table.select,
            (key ?? table.first) + [.integer(Int64(limit))]
        )
        var last: [SQLValue]?
        var places: [SealedPlace] = []
        for row in rows {
            let (key, place) = try table.read(row)
            last = key
            if let place { places.append(place) }
        }
        return last.map { (places, $0) }
    }

    /// Puts `value` there if what was read still is there; false where it is not.
    func replace(_ place: SealedPlace, by value: SealedValue) throws(StoreFailure) -> Bool {
        try connection.run(
            place.replacement,
            [.bytes(place.value.stored), .bytes(try stored(value))] + place.key
        ) == 1
    }

    /// How many sealed values are under each version of the keys.
    func sealedCounts() throws(StoreFailure) -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        for table in SealedTable.all {
            for row in try connection.rows(table.count, []) {
                let version = try row.bytes(0).reduce(0) { $0 << 8 | UInt32($1) }
                counts[version, default: 0] += Int(try row.integer(1))
            }
        }
        return counts
    }

    private static let raiseLeastVersion = Statement(
        "UPDATE verifier SET least_key_version = $1 WHERE id = 1 AND least_key_version < $1"
    )
    private static let insertFingerprintKey = Statement(
        "UPDATE verifier SET fingerprint_key = $1 WHERE id = 1 AND fingerprint_key IS NULL"
    )
    private static let selectFingerprintKey = Statement(
        "SELECT fingerprint_key FROM verifier WHERE id = 1"
    )
}

extension SealedTable {
    static let all = [seeds, codes, numbers, fingerprintKeys]

    private static let seeds = SealedTable(
        select: Statement(
            """
            SELECT devices.enterprise, devices.account_type, devices.account_id,
                credentials.device, credentials.kind, credentials.id, credentials.generation,
                credentials.seed, devices.public_key, devices.token
            FROM credentials JOIN devices ON devices.id = credentials.device
            WHERE (credentials.device, credentials.kind) > ($1, $2)
            ORDER BY credentials.device, credentials.kind LIMIT $3
            """
        ),
        count: Statement("SELECT substr(seed, 2, 4), COUNT(*) FROM credentials GROUP BY 1"),
        first: [.bytes([]), .integer(0)]
    ) { row throws(StoreFailure) in
        let account = try row.account(0)
        let device: DeviceID = try row.identifier(3)
        let credential = CredentialContext(
            enterprise: account.enterprise,
            id: try row.identifier(5),
            kind: try row.credentialKind(4),
            generation: Generation(try row.number(6))
        )
        let key: [SQLValue] = [SQLValue(device), .integer(credential.kind.stored)]
        let place = SealedPlace(
            owner: .secret(of: credential, on: device, try row.deviceKind(8), for: account),
            value: try row.sealedValue(7),
            replacement: replaceSeed,
            key: key
        )
        return (key, place)
    }

    private static let codes = SealedTable(
        select: Statement(
            """
            SELECT enterprise, account_type, account_id, id, code FROM activations
            WHERE id > $1 ORDER BY id LIMIT $2
            """
        ),
        count: Statement(
            """
            SELECT substr(code, 2, 4), COUNT(*) FROM activations WHERE code IS NOT NULL GROUP BY 1
            """
        ),
        first: [.text("")]
    ) { row throws(StoreFailure) in
        let id: ActivationID = try row.identifier(3)
        let account = try row.account(0)
        let owner = SealOwner.code(of: id, for: account)
        return ([SQLValue(id)], try row.place(4, of: owner, replaceCode, [SQLValue(id)]))
    }

    private static let numbers = SealedTable(
        select: Statement(
            """
            SELECT enterprise, account_type, account_id, id, number FROM transactions
            WHERE id > $1 ORDER BY id LIMIT $2
            """
        ),
        count: Statement(
            """
            SELECT substr(number, 2, 4), COUNT(*) FROM transactions
            WHERE number IS NOT NULL GROUP BY 1
            """
        ),
        first: [.text("")]
    ) { row throws(StoreFailure) in
        let id: TransactionID = try row.identifier(3)
        let account = try row.account(0)
        let owner = SealOwner.number(of: id, for: account)
        return ([SQLValue(id)], try row.place(4, of: owner, replaceNumber, [SQLValue(id)]))
    }

    private static let fingerprintKeys = SealedTable(
        select: Statement(
            "SELECT id, store, fingerprint_key FROM verifier WHERE id > $1 ORDER BY id LIMIT $2"
        ),
        count: Statement(
            """
            SELECT substr(fingerprint_key, 2, 4), COUNT(*) FROM verifier
            WHERE fingerprint_key IS NOT NULL GROUP BY 1
            """
        ),
        first: [.integer(0)]
    ) { row throws(StoreFailure) in
        let key: [SQLValue] = [.integer(try row.integer(0))]
        let owner = SealOwner.fingerprintKey(of: try row.bytes(1))
        return (key, try row.place(2, of: owner, replaceFingerprintKey, key))
    }

    private static let replaceSeed = Statement(
        "UPDATE credentials SET seed = $2 WHERE device = $3 AND kind = $4 AND seed = $1"
    )
    private static let replaceCode = Statement(
        "UPDATE activations SET code = $2 WHERE id = $3 AND code = $1"
    )
    private static let replaceNumber = Statement(
        "UPDATE transactions SET number = $2 WHERE id = $3 AND number = $1"
    )
    private static let replaceFingerprintKey = Statement(
        "UPDATE verifier SET fingerprint_key = $2 WHERE id = $3 AND fingerprint_key = $1"
    )
}

extension Row {
    fileprivate func place(
        _ column: Int,
        of owner: SealOwner,
        _ replacement: Statement,
        _ key: [SQLValue]
    ) throws(StoreFailure) -> SealedPlace? {
        guard try optionalBytes(column) != nil else { return nil }
        return SealedPlace(
            owner: owner,
            value: try sealedValue(column),
            replacement: replacement,
            key: key
        )
    }
}
