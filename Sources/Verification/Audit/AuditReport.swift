import Storage

/// One finding of an audit.
package struct AuditFinding: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The row is not a valid record.
        case malformed
        /// The number is not the next one: a record is missing, extra, or moved.
        case outOfSequence
        /// The hash does not match the record and the one before it.
        case brokenLink
        /// The last record is not the store's head.
        case endsElsewhere
        /// The journal contains another record here. The records may differ from `last` + 1 on.
        case forked(after: UInt64)
        /// A row does not match this record, the last one about it.
        case contradicted(row: String)
        /// The old values of a row in this record do not match the earlier records.
        case wroteOver(row: String)
        /// A row exists that no record created.
        case unrecorded(row: String)
        /// The row of this record, the last one about it, does not exist.
        case missing(row: String)
        /// The tag of a row is not valid: another program wrote the row.
        case forged(row: String)
        /// The secret of a row does not open: it was changed, emptied or moved from another row.
        case unopened(row: String)
        /// A decision has no valid signature by the key of its device.
        case unproven(row: String)
        /// An activation is open, although a later one was issued for its account.
        case followed(row: String)
        /// A transaction is in the archive before its time, so it limits no requests.
        case archivedEarly(row: String)
        /// The store lacks this record, although its result was returned: it was put back.
        case lacksReturned
        /// The file of the last head is missing or damaged: a store that was put back is not found.
        case lostHead
        /// The store is a backup that was not restored.
        case unrestored
        /// The verifier's own row has no valid tag under these keys, so no tag was checked.
        case unauthenticState
        /// The verifier's own row is not authentic, and has another store's id than the journal.
        case foreignJournal
    }

    /// The number of the record; 0 if a row has no record.
    package let sequence: UInt64
    package let kind: Kind
}

/// The result of an audit.
package struct AuditReport: Equatable, Sendable {
    /// The number of records with a valid chain, from the first on.
    package internal(set) var checked: UInt64 = 0
    /// Whether the chain leads to the store's head, so that the rows were compared with their records.
    ///
    /// If not, the audit has checked only rows and records by themselves.
    package internal(set) var isComplete = false
    /// Whether the tags and secrets were checked, which needs the encryption keys.
    package internal(set) var hasCheckedTags = false
    /// Findings in the trail, then in each table, at most `maximumFindings`.
    package internal(set) var findings: [AuditFinding] = []
    /// The number of findings that are not in the list.
    package private(set) var furtherCount = 0
    /// The number of all findings.
    package var findingCount: Int { findings.count + furtherCount }
    private var rows: Set<String> = []
    /// Rows that no record confirms, at most `maximumFindings`; nil if there are more.
    private(set) var unconfirmedRows: Set<String>? = []
    /// The last record of the chain that the journal's signatures cover; nil without a match.
    package internal(set) var lastSigned: AuditHead?
    /// The records of restores.
    ///
    /// Each restore may have discarded a part of the trail.
    package internal(set) var restores: [AuditRecord] = []

    static let maximumFindings = 1000

    package var isClean: Bool { findings.isEmpty }

    /// The rows that no record confirms; of more than `maximumFindings`, those in the list.
    var rowsToReject: Set<String> {
        unconfirmedRows ?? Set(findings.compactMap(\.kind.unconfirmedRow))
    }

    /// Adds a finding about a row, unless there is one.
    mutating func add(_ kind: AuditFinding.Kind, about row: String) {
        guard !rows.contains(row) else { return }
        add(kind, at: 0)
    }

    mutating func add(_ kind: AuditFinding.Kind, at sequence: UInt64) {
        if let row = kind.unconfirmedRow { addUnconfirmed(row) }
        guard findings.count < Self.maximumFindings else {
            furtherCount += 1
            return
        }
        findings.append(AuditFinding(sequence: sequence, kind: kind))
        if let row = kind.row { rows.insert(row) }
    }
}

extension AuditReport {
    private mutating func addUnconfirmed(_ row: String) {
        unconfirmedRows?.insert(row)
        if unconfirmedRows?.count ?? 0 > Self.maximumFindings { unconfirmedRows = nil }
    }
}

extension AuditFinding.Kind {
    /// The row with a tag whose values the trail does not confirm.
    fileprivate var unconfirmedRow: String? {
        switch self {
        case .contradicted(let row), .unrecorded(let row), .followed(let row):
            TaggedTable.rows.contains { row.hasPrefix("\($0.table.name) ") } ? row : nil
        case .malformed, .outOfSequence, .brokenLink, .endsElsewhere, .forked, .wroteOver, .missing,
            .forged, .unopened, .unproven, .archivedEarly, .lacksReturned, .lostHead,
            .unrestored, .unauthenticState, .foreignJournal:
            nil
        }
    }

    /// Nil for a finding about the trail.
    var row: String? {
        switch self {
        case .contradicted(let row), .wroteOver(let row), .unrecorded(let row), .missing(let row),
            .forged(let row), .unopened(let row), .unproven(let row), .followed(let row),
            .archivedEarly(let row):
            row
        case .malformed, .outOfSequence, .brokenLink, .endsElsewhere, .forked, .lacksReturned,
            .lostHead, .unrestored, .unauthenticState, .foreignJournal:
            nil
        }
    }
}
