import Cryptography
package import TransactionApproval

/// What holds for a whole store.
package struct StoreState: Equatable, Sendable {
    /// Tells one store from another: a checkpoint belongs to one of them.
    package let id: [UInt8]
    package let epoch: Epoch
    package let audit: AuditHead
    /// Nothing may be stored under an older key for secrets at rest.
    package let minimumKeyVersion: UInt32
    /// Whether it is a backup, which nobody may decide over before it was restored.
    package let isCopy: Bool
}

extension Ledger {
    package func state() throws(StoreFailure) -> StoreState {
        guard let row = try row(Self.selectState, []) else { throw .damaged }
        let head = AuditHead(
            sequence: try row.number(2),
            moment: try row.moment(3),
            hash: try row.bytes(4)
        )
        try check(head)
        let minimumKeyVersion = try row.keyVersion(5)
        recorded.minimumKeyVersion = minimumKeyVersion
        return StoreState(
            id: try row.bytes(0),
            epoch: Epoch(try row.number(1)),
            audit: head,
            minimumKeyVersion: minimumKeyVersion,
            isCopy: try row.integer(6) != 0
        )
    }

    /// Writes what is there already.
    func keepState() throws(StoreFailure) {
        try change(Self.rewriteState, [])
    }

    /// Begins in an empty store; false where something is in it.
    func begin(_ id: [UInt8]) throws(StoreFailure) -> Bool {
        let head = AuditHead.empty
        return try connection.run(
            Self.insertState,
            [
                .bytes(id), SQLValue(head.sequence), SQLValue(head.moment), .bytes(head.hash),
            ]
        ) == 1
    }

    /// Puts events on the audit trail, in this order; gives where it ends then.
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
            let record = try Self.record(event, with: traces, by: actor, at: now, after: head)
            try add(record)
            if event.kind.notifiesBank { try tellBank(of: record) }
            if event.isPushed { try wakeDevices(for: record) }
            recorded.events.kinds.append(event.kind)
            if event.kind.isJournaled { recorded.events.owed = record.sequence }
            head = AuditHead(record)
        }
        try change(
            Self.updateHead,
            [SQLValue(head.sequence), SQLValue(head.moment), .bytes(head.hash)]
        )
        recorded.events.head = head
        return head
    }

    private static func record(
        _ event: Event,
        with traces: [UInt8],
        by actor: Actor,
        at now: Timestamp,
        after head: AuditHead
    ) throws(StoreFailure) -> AuditRecord {
        do {
            return try head.following(event, with: traces, by: actor, at: now)
        } catch {
            // A machine that cannot compute a hash cannot keep a trail.
            throw .unavailable
        }
    }

    private func add(_ record: AuditRecord) throws(StoreFailure) {
        let event = record.event
        let account = event.account
        try change(
            Self.insertRecord,
            [
                SQLValue(record.sequence), SQLValue(record.moment), .text(record.actor.text),
                .text(event.kind.rawValue), SQLValue(account?.enterprise),
                SQLValue(account?.key.type), SQLValue(account?.key.id), .text(event.subject),
                .text(event.detail), .bytes(record.traces), .bytes(record.hash),
            ]
        )
    }

    /// The records after `sequence`, at most `limit` of them.
    package func auditRecords(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> [AuditRecord] {
        try connection.rows(Self.selectRecords, [SQLValue(sequence), .integer(Int64(limit))])
            .map { row throws(StoreFailure) in try AuditRecord(row) }
    }

    func auditRecord(_ sequence: UInt64) throws(StoreFailure) -> AuditRecord? {
        guard sequence > 0 else { return nil }
        return try auditRecords(after: sequence - 1, limit: 1).first { $0.sequence == sequence }
    }

    /// The rows after `sequence`, whatever is in them.
    func auditRows(after sequence: Int64, limit: Int) throws(StoreFailure) -> [AuditRow] {
        try connection.rows(Self.selectRecords, [.integer(sequence), .integer(Int64(limit))])
            .map { row throws(StoreFailure) in
                // Why it is no record does not matter: who asks says that it is none.
                AuditRow(sequence: try row.integer(0), record: try? AuditRecord(row))
            }
    }

    /// Those with numbers up to `newest` that tell of an enterprise or of an account of it.
    func auditRows(
        after sequence: UInt64,
        through newest: UInt64,
        concerning enterprise: EnterpriseID
    ) throws(StoreFailure) -> [AuditRow] {
        let values = [SQLValue(sequence), SQLValue(newest), SQLValue(enterprise)]
        return try connection.rows(Self.selectOfEnterprise, values)
            .map { row throws(StoreFailure) in
                // What is no record is of nobody.
                AuditRow(sequence: try row.integer(0), record: try? AuditRecord(row))
            }
    }

    /// The accounts that the records after `sequence` tell of, and the last of those that were read.
    func accounts(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> (accounts: Set<AccountReference>, last: UInt64?) {
        let rows = try connection.rows(
            Self.selectAccounts,
            [SQLValue(sequence), .integer(Int64(limit))]
        )
        var accounts: Set<AccountReference> = []
        for row in rows where try row.optionalText(1) != nil {
            accounts.insert(try row.account(1))
        }
        return (accounts, try rows.last?.number(0))
    }

    func auditHash(at sequence: UInt64) throws(StoreFailure) -> [UInt8]? {
        try row(Self.selectHash, [SQLValue(sequence)])
            .map { row throws(StoreFailure) in try row.bytes(0) }
    }

    private static let insertState = Statement(
        """
        INSERT INTO verifier (id, store, epoch, audit_sequence, audit_moment, audit_hash,
            least_key_version, is_copy)
        VALUES (1, $1, 0, $2, $3, $4, 0, 0) ON CONFLICT (id) DO NOTHING
        """
    )
    private static let selectState = Statement(
        """
        SELECT store, epoch, audit_sequence, audit_moment, audit_hash, least_key_version, is_copy
        FROM verifier WHERE id = 1
        """
    )
    private static let rewriteState = Statement("UPDATE verifier SET epoch = epoch WHERE id = 1")
    private static let updateHead = Statement(
        """
        UPDATE verifier SET audit_sequence = $1, audit_moment = $2, audit_hash = $3
        WHERE id = 1 AND audit_sequence < $1
        """
    )
    private static let selectAccounts = Statement(
        """
        SELECT sequence, enterprise, account_type, account_id
        FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2
        """
    )
    private static let selectHash = Statement("SELECT hash FROM audit WHERE sequence = $1")
    private static let insertRecord = Statement(
        """
        INSERT INTO audit (sequence, moment, actor, kind, enterprise, account_type, account_id,
            subject, detail, traces, hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """
    )
    private static let selectRecords = Statement(
        """
        SELECT sequence, moment, actor, kind, enterprise, account_type, account_id, subject,
            detail, traces, hash
        FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2
        """
    )
    private static let selectOfEnterprise = Statement(
        """
        SELECT sequence, moment, actor, kind, enterprise, account_type, account_id, subject,
            detail, traces, hash
        FROM audit
        WHERE sequence > $1 AND sequence <= $2
            AND (enterprise = $3 OR enterprise IS NULL AND subject = $3)
        ORDER BY sequence
        """
    )
}

/// A row of the trail, which somebody may have written in our place.
struct AuditRow {
    let sequence: Int64
    /// Nil where no record has this form.
    let record: AuditRecord?
}

extension AuditRecord {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        guard
            let actor = Actor(try row.text(2)), let kind = Event.Kind(rawValue: try row.text(3))
        else { throw .damaged }
        self.init(
            sequence: try row.number(0),
            moment: try row.moment(1),
            actor: actor,
            event: Event(
                kind,
                of: try row.text(7),
                in: try row.optionalText(4) == nil ? nil : try row.account(4),
                detail: try row.text(8)
            ),
            traces: try row.bytes(9),
            hash: try row.bytes(10)
        )
    }
}
