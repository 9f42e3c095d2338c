import Cryptography
package import Storage
package import TransactionApproval

/// The state of a whole store.
package struct StoreState: Equatable, Sendable {
    /// Random; a checkpoint belongs to one store.
    package let id: [UInt8]
    package let epoch: Epoch
    package let audit: AuditHead
    /// No value may be stored under an older key.
    package let minimumKeyVersion: UInt32
    /// A backup accepts no decisions before it is restored.
    package let isBackup: Bool
}

extension Ledger {
    package func state() throws(StoreFailure) -> StoreState {
        guard let row = try row(Self.selectState, []) else { throw .damaged }
        let head = AuditHead(
            sequence: try row.number(.auditSequence),
            moment: try row.moment(.auditMoment),
            hash: try row.bytes(.auditHash)
        )
        try check(head)
        let minimumKeyVersion = try row.keyVersion(.minimumKeyVersion)
        recorded.minimumKeyVersion = minimumKeyVersion
        return StoreState(
            id: try row.bytes(.storeID),
            epoch: Epoch(try row.number(.epoch)),
            audit: head,
            minimumKeyVersion: minimumKeyVersion,
            isBackup: try row.flag(.isBackup)
        )
    }

    /// Writes a row without changing it, which takes as long as a change.
    func writeWithoutChange() throws(StoreFailure) {
        try change(Self.rewriteState, [:])
    }

    /// Initializes an empty store; returns false if it was initialized before.
    func begin(_ id: [UInt8]) throws(StoreFailure) -> Bool {
        let values: NamedValues = [
            .id: .integer(1), .storeID: .bytes(id), .epoch: .integer(0), .fingerprintKey: .null,
            .minimumKeyVersion: .integer(0), .isBackup: .integer(0),
        ]
        return try connection.run(Self.insertState, values + AuditHead.empty.stored) == 1
    }

    /// Adds events to the audit trail in this order, and returns the new head.
    @discardableResult
    package func record(
        _ events: [Event],
        by actor: Actor,
        at now: Timestamp,
        after head: AuditHead
    ) throws(StoreFailure) -> AuditHead {
        guard !events.isEmpty else { return head }
        var head = head
        for (event, traces) in zip(events, takeTraces(for: events)) {
            let record = try translatingSystemFailure(
                head.following(event, with: traces, by: actor, at: now),
                to: StoreFailure.system
            )
            try change(Self.insertRecord, record.stored)
            if event.kind.notifiesBank { try queueWebhook(for: record) }
            if event.isPushed { try queuePushes(for: record) }
            recorded.events.kinds.append(event.kind)
            if event.kind.isJournaled { recorded.events.owed = record.sequence }
            head = AuditHead(record)
        }
        try change(Self.updateHead, head.stored)
        recorded.events.head = head
        return head
    }

    /// At most `limit` records after `sequence`.
    package func auditRecords(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> [AuditRecord] {
        try rows(Self.selectRecords, [SQLValue(sequence), SQLValue(limit)], AuditRecord.init(_:))
    }

    func auditRecord(_ sequence: UInt64) throws(StoreFailure) -> AuditRecord? {
        guard sequence > 0 else { return nil }
        return try auditRecords(after: sequence - 1, limit: 1).first { $0.sequence == sequence }
    }

    /// The rows after `sequence`, whether they are records or not.
    func auditRows(after sequence: Int64, limit: Int) throws(StoreFailure) -> [AuditRow] {
        try rows(Self.selectRecords, [.integer(sequence), SQLValue(limit)], AuditRow.init(_:))
    }

    /// The rows with numbers up to `newest` that concern an enterprise or one of its accounts.
    func auditRows(
        after sequence: UInt64,
        through newest: UInt64,
        concerning enterprise: EnterpriseID
    ) throws(StoreFailure) -> [AuditRow] {
        let values = [SQLValue(sequence), SQLValue(newest), SQLValue(enterprise)]
        return try rows(Self.selectOfEnterprise, values, AuditRow.init(_:))
    }

    /// The accounts in the records after `sequence`, and the number of the last one.
    func accounts(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> (accounts: Set<AccountReference>, last: UInt64?) {
        let rows = try connection.rows(Self.selectAccounts, [SQLValue(sequence), SQLValue(limit)])
        var accounts: Set<AccountReference> = []
        for row in rows where try !row.isNull(.enterprise) {
            accounts.insert(try row.account())
        }
        return (accounts, try rows.last?.number(.sequence))
    }

    func auditHash(at sequence: UInt64) throws(StoreFailure) -> [UInt8]? {
        try row(Self.selectHash, [SQLValue(sequence)])?.bytes(.hash)
    }

    private static let insertState = Statement(
        "INSERT INTO verifier \(insert: Table.verifier.columns) ON CONFLICT (id) DO NOTHING"
    )
    private static let selectState = Statement(
        "SELECT \(Table.verifier.values) FROM verifier WHERE id = 1"
    )
    private static let rewriteState = Statement("UPDATE verifier SET epoch = epoch WHERE id = 1")
    private static let updateHead = Statement(
        """
        UPDATE verifier SET \(set: [.auditSequence, .auditMoment, .auditHash])
        WHERE id = 1 AND audit_sequence < \(valueOf: .auditSequence)
        """
    )
    private static let selectAccounts = Statement(
        "SELECT \([.sequence] + .account) FROM audit \(after: [.sequence])"
    )
    private static let selectHash = Statement("SELECT \([.hash]) FROM audit WHERE sequence = $1")
    private static let insertRecord = Statement("INSERT INTO audit \(insert: Table.audit.columns)")
    private static let selectRecords = Statement(
        "SELECT \(Table.audit.columns) FROM audit \(after: [.sequence])"
    )
    private static let selectOfEnterprise = Statement(
        """
        SELECT \(Table.audit.columns) FROM audit
        WHERE sequence > $1 AND sequence <= $2
            AND (enterprise = $3 OR enterprise IS NULL AND subject = $3)
        ORDER BY sequence
        """
    )
}

/// A row of the audit table, which another program may have written.
struct AuditRow {
    let sequence: Int64
    /// Nil if the row is not a valid record.
    let record: AuditRecord?

    fileprivate init(_ row: Row) throws(StoreFailure) {
        sequence = try row.integer(.sequence)
        // `try?`: the caller reports the row, whatever is wrong with it.
        record = try? AuditRecord(row)
    }
}

extension AuditHead {
    fileprivate var stored: NamedValues {
        [
            .auditSequence: SQLValue(sequence), .auditMoment: SQLValue(moment),
            .auditHash: .bytes(hash),
        ]
    }
}

extension AuditRecord {
    fileprivate var stored: NamedValues {
        [
            .sequence: SQLValue(sequence), .moment: SQLValue(moment), .actor: .text(actor.text),
            .kind: .text(event.kind.rawValue), .enterprise: SQLValue(event.account?.enterprise),
            .accountType: SQLValue(event.account?.key.type),
            .accountID: SQLValue(event.account?.key.id), .subject: .text(event.subject),
            .detail: .text(event.detail), .traces: .bytes(traces), .hash: .bytes(hash),
        ]
    }

    fileprivate init(_ row: Row) throws(StoreFailure) {
        guard
            let actor = Actor(try row.text(.actor)),
            let kind = Event.Kind(rawValue: try row.text(.kind))
        else { throw .damaged }
        self.init(
            sequence: try row.number(.sequence),
            moment: try row.moment(.moment),
            actor: actor,
            event: Event(
                kind,
                of: try row.text(.subject),
                in: try row.isNull(.enterprise) ? nil : try row.account(),
                detail: try row.text(.detail)
            ),
            traces: try row.bytes(.traces),
            hash: try row.bytes(.hash)
        )
    }
}
