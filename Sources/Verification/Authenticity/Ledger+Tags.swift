import Cryptography
import Sealing
import Storage
import TransactionApproval

/// An authentic row, as a transaction read or wrote it.
struct KnownRow: Equatable, Sendable {
    let version: UInt64
    /// The digest of each list of columns, one after the other.
    let digests: [UInt8]

    static let digestByteCount = 32

    /// The digest of the list with this index; nil if the row has none.
    func digest(_ index: Int) -> [UInt8]? {
        let (start, end) = (Self.digestByteCount * index, Self.digestByteCount * (index + 1))
        return end <= digests.count ? Array(digests[start..<end]) : nil
    }
}

extension Ledger {
    /// Fails if these columns were not written by a verifier with the store's keys.
    ///
    /// A ledger without keys checks nothing.
    func check(_ part: TaggedPart, in row: Row, key: [SQLValue]) throws(StoreFailure) {
        guard let keyRing else { return }
        let name = RowName(part, key)
        var forged: StoreFailure { .forged(row: part.description(of: key)) }
        guard case .bytes(let bytes) = try row[part.column], let tag = RowTag(stored: bytes) else {
            throw forged
        }
        // An older key may be known to an attacker, or still in the memory of this process. The row of
        // the verifier contains the minimum, so its own tag needs the minimum that was seen before.
        if tag.keyVersion < keyRing.versionInUse {
            keyRing.readChangedFile()
            let minimum =
                part == .verifier ? keyRing.minimumVersion : try minimumKeyVersion()
            guard tag.keyVersion >= minimum else { throw forged }
        }
        let known = KnownRow(version: tag.rowVersion, digests: try row.digests(of: part))
        let remembered = part.isRemembered ? memory?.find(name) : nil
        let minimum = max(
            remembered?.minimumVersion ?? 0,
            shared?.minimumVersion(of: name) ?? 0
        )
        if known.version < minimum {
            // The row of the verifier is put back together with the whole store.
            guard part != .verifier else { throw .rolledBack }
            _ = try state()
            throw forged
        }
        if let memory, memory.distrusts(part, key) { throw forged }
        // A row with the same columns as an authentic one of the same version is authentic. The version of
        // the key is believed only if this process would write it, too.
        let isRemembered =
            tag.keyVersion == keyRing.versionInUse && remembered?.isSame(as: known) ?? false
        if !isRemembered, recorded.rows[name] ?? recorded.authentic?[name] != known {
            try checkMAC(of: name, known, tag, part, key)
        }
        recorded.note(known, as: name, isRemembered: isRemembered)
        if part == .verifier {
            recorded.ownKeyVersion = tag.keyVersion
            keyRing.noteUse(of: tag.keyVersion)
        }
    }

    /// Whether this version of an authentic row can be used again, as far as this process knows.
    func accepts(_ version: UInt64, of part: TaggedPart, _ key: [SQLValue]) -> Bool {
        let name = RowName(part, key)
        let minimum = max(
            memory?.find(name)?.minimumVersion ?? 0,
            shared?.minimumVersion(of: name) ?? 0
        )
        return minimum <= version && memory?.distrusts(part, key) != true
    }

    private func checkMAC(
        of name: RowName,
        _ known: KnownRow,
        _ tag: RowTag,
        _ part: TaggedPart,
        _ key: [SQLValue]
    ) throws(StoreFailure) {
        guard let expected = try self.tag(of: name, known, keyVersion: tag.keyVersion) else {
            let isMissing = part == .verifier ? true : try isInUse(tag.keyVersion)
            guard isMissing else { throw .forged(row: part.description(of: key)) }
            throw .missingKey(version: tag.keyVersion)
        }
        guard expected.hasSameMAC(as: tag) else {
            // After a restore, this process has the keys of discarded records.
            if part != .verifier { _ = try state() }
            throw .forged(row: part.description(of: key))
        }
    }

    /// Whether a verifier can have written tags or secrets under this version.
    func isInUse(_ version: UInt32) throws(StoreFailure) -> Bool {
        let state = try state()
        guard let newest = recorded.ownKeyVersion else { return true }
        return version > 0 && state.minimumKeyVersion <= version && version <= newest
    }

    /// Writes a new row with its tags.
    ///
    /// By default, the next audit record gets all that the first part traces.
    func add(
        _ values: NamedValues,
        _ part: TaggedPart,
        _ others: TaggedPart...,
        tracing traced: [TracedPart]? = nil
    ) throws(StoreFailure) {
        _ = try write(values, [part] + others, tracing: traced ?? part.traced, isNew: true) {
            values throws(StoreFailure) in
            try connection.change(part.table.insertion, values)
            return true
        }
    }

    /// Writes a new row with its tag; returns false if the statement inserts nothing.
    func addIfMissing(
        _ values: NamedValues,
        _ part: TaggedPart,
        by statement: Statement,
        tracing traced: [TracedPart]
    ) throws(StoreFailure) -> Bool {
        try write(values, [part], tracing: traced, isNew: true) { values throws(StoreFailure) in
            try connection.run(statement, values) == 1
        }
    }

    /// Writes a row with its tag, which this transaction must have read before.
    func update(
        _ values: NamedValues,
        _ part: TaggedPart,
        by statement: Statement,
        tracing traced: [TracedPart]? = nil
    ) throws(StoreFailure) {
        _ = try write(values, [part], tracing: traced ?? part.traced, isNew: false) {
            values throws(StoreFailure) in
            try connection.change(statement, values)
            return true
        }
    }

    /// Adds the tags to the values for `store`, which returns whether it stored them.
    private func write(
        _ values: consuming NamedValues,
        _ parts: [TaggedPart],
        tracing traced: [TracedPart],
        isNew: Bool,
        _ store: (NamedValues) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        let keyVersion = try currentKeyVersion()
        var written: [(part: TaggedPart, name: RowName, row: KnownRow)] = []
        for part in parts {
            let name = RowName(part, try values[part.table.key])
            let digests = try values.digests(of: part)
            let row = try isNew ? KnownRow(version: 1, digests: digests) : next(name, digests)
            guard let tag = try tag(of: name, row, keyVersion: keyVersion) else {
                throw .misuse
            }
            values.append(part.column, .bytes(tag.stored))
            written.append((part, name, row))
        }
        guard try store(values) else { return false }
        for (part, name, row) in written {
            let before = isNew ? nil : recorded.rows[name]
            recorded.note(row, as: name)
            if let memory { shared?.note(row, as: name, for: memory) }
            trace(part, traced, before, row, key: try values[part.table.key])
        }
        try writeOwnTag(under: keyVersion, with: parts)
        return true
    }

    /// Notes the next version of a row that is written at the end of the transaction.
    func noteNext(_ values: NamedValues, _ part: TaggedPart) throws(StoreFailure) {
        let keyVersion = try currentKeyVersion()
        let name = RowName(part, try values[part.table.key])
        let row = try next(name, try values.digests(of: part))
        recorded.note(row, as: name)
        if let memory { shared?.note(row, as: name, for: memory) }
        if part == .verifier { recorded.ownKeyVersion = keyVersion }
    }

    /// The verifier's own row always has the newest key in use, so a row with a newer one is forged.
    private func writeOwnTag(
        under version: UInt32,
        with parts: [TaggedPart]
    ) throws(StoreFailure) {
        if parts.first == .verifier {
            recorded.ownKeyVersion = version
        } else if let own = recorded.ownKeyVersion, own < version {
            try save(try state(), by: Self.updateOwnTag)
        }
    }

    private static let updateOwnTag = Statement("UPDATE verifier SET \(set: [.tag]) WHERE id = 1")

    /// The next version of a row, if its columns change.
    ///
    /// This transaction must know the row: otherwise it could repeat a version.
    private func next(
        _ name: RowName,
        _ digests: [UInt8]
    ) throws(StoreFailure) -> KnownRow {
        guard let known = recorded.rows[name] else { throw .misuse }
        guard digests != known.digests else { return known }
        return KnownRow(version: known.version + 1, digests: digests)
    }

    /// The key version for new tags.
    func currentKeyVersion() throws(StoreFailure) -> UInt32 {
        guard let keyRing else { throw .misuse }
        // A new store has no minimum yet.
        guard recorded.newStoreID == nil else { return keyRing.versionInUse }
        // Read first: the state also shows the version in use.
        let minimum = try minimumKeyVersion()
        let version = keyRing.versionInUse
        guard version >= minimum else { throw .outdatedKey(version: version) }
        return version
    }

    /// Returns nil if the key of this version is missing.
    func tag(
        of name: RowName,
        _ row: KnownRow,
        keyVersion: UInt32
    ) throws(StoreFailure) -> RowTag? {
        try authenticator(keyVersion)?.tag(of: name, row)
    }

    private func authenticator(_ version: UInt32) throws(StoreFailure) -> RowAuthenticator? {
        if let used = recorded.authenticator, used.keyVersion == version { return used }
        let new = try authenticator(version, of: try storeNames())
        recorded.authenticator = new
        return new
    }

    /// Returns nil if the key of this version is missing.
    func authenticator(
        _ version: UInt32,
        of store: StoreNames
    ) throws(StoreFailure) -> RowAuthenticator? {
        let key = try translatingSystemFailure(
            keyRing?.rowKey(version: version, of: store.bytes),
            to: StoreFailure.system
        )
        return key.map { RowAuthenticator(key: $0, keyVersion: version) }
    }
}

/// Computes tags under one key.
struct RowAuthenticator {
    let key: KeyRing.RowKey
    let keyVersion: UInt32

    func tag(of name: RowName, _ row: KnownRow) throws(StoreFailure) -> RowTag {
        var writer = FieldWriter(reserving: 160)
        writer.append(name.bytes)
        writer.append(row.version)
        writer.append(row.digests)
        let mac = try translatingSystemFailure(
            key.authenticate(writer.bytes.span),
            to: StoreFailure.system
        )
        return RowTag(keyVersion: keyVersion, rowVersion: row.version, mac: mac)
    }
}

extension TaggedPart {
    /// The table and key of a row, for an operator.
    func description(of key: [SQLValue]) -> String { table.description(of: key) }
}

extension Table {
    /// The table and key of a row, for an operator.
    func description(of key: [SQLValue]) -> String {
        "\(name)" + zip(self.key, key).map { " \($0)=\($1.shortText)" }.joined()
    }
}

extension SQLValue {
    /// An attacker may write a key of any length.
    private static let maximumLength = 128

    fileprivate var shortText: String {
        let text = plainText
        let start = text.prefix(Self.maximumLength)
        return start.endIndex == text.endIndex ? text : String(start) + "…"
    }
}
