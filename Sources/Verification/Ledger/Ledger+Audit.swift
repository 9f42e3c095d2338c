import Cryptography
import Sealing
package import Storage
package import TransactionApproval

extension Ledger {
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
            // The journal could not read a longer line. No account has as many devices.
            guard traces.count <= AuditRecord.maximumBytesOfTraces else { throw .misuse }
            let record = try translatingSystemFailure(
                head.following(event, with: traces, by: actor, at: now),
                to: StoreFailure.system
            )
            try add(record)
            try queueDeliveries(of: record)
            recorded.events.kinds.append(event.kind)
            if event.kind.isJournaled { recorded.events.owed = record.sequence }
            head = AuditHead(record)
        }
        var state = try state()
        state.audit = head
        try saveHead(of: state)
        recorded.events.checkpoint = state.checkpoint
        return head
    }

    /// At most `limit` records after `sequence`.
    package func auditRecords(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> [AuditRecord] {
        try auditRecords(Self.selectRecords, [SQLValue(sequence), SQLValue(limit)])
    }

    func auditRecords(
        _ statement: Statement,
        _ values: [SQLValue],
        where isWanted: (Event) -> Bool = { _ in true }
    ) throws(StoreFailure) -> [AuditRecord] {
        try rows(statement, values) { row throws(StoreFailure) in
            let key = try row[Table.audit.key]
            try check(.record, in: row, key: key)
            let record = try AuditRecord(row)
            guard isWanted(record.event) else {
                throw .forged(row: Table.audit.description(of: key))
            }
            return record
        }
    }

    private func add(_ record: AuditRecord) throws(StoreFailure) {
        try add(record.stored, .record)
    }

    func auditRecord(_ sequence: UInt64) throws(StoreFailure) -> AuditRecord? {
        guard sequence > 0 else { return nil }
        return try auditRecords(after: sequence - 1, limit: 1).first { $0.sequence == sequence }
    }

    /// The rows after `sequence`, whether they are records or not.
    func auditRows(after sequence: Int64, limit: Int) throws(StoreFailure) -> [AuditRow] {
        try rows(Self.selectRecords, [.integer(sequence), SQLValue(limit)], auditRow(_:))
    }

    /// The rows with numbers up to `newest` that concern an enterprise or one of its accounts.
    func auditRows(
        after sequence: UInt64,
        through newest: UInt64,
        concerning enterprise: EnterpriseID
    ) throws(StoreFailure) -> [AuditRow] {
        let values = [SQLValue(sequence), SQLValue(newest), SQLValue(enterprise)]
        return try rows(Self.selectOfEnterprise, values, auditRow(_:))
    }

    /// The accounts in the rows after `sequence`, and the number up to which they are records.
    ///
    /// Another program can put in rows after the head. They wake waiting tasks for nothing, but hide
    /// no later record.
    func accounts(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> (accounts: Set<AccountReference>, last: UInt64) {
        let rows = try connection.rows(Self.selectAccounts, [SQLValue(sequence), SQLValue(limit)])
        guard let end = try rows.last?.number(.sequence) else { return ([], sequence) }
        var accounts: Set<AccountReference> = []
        for row in rows {
            // The row of another program can be malformed: `try?`.
            if let account = try? row.concern()?.account { accounts.insert(account) }
        }
        return (accounts, max(sequence, min(end, try state().audit.sequence)))
    }

    /// The events of each kind after one record and up to another.
    ///
    /// Leaves out unknown kinds, which no verifier wrote, and notes the first record of each.
    func eventCounts(
        after sequence: UInt64,
        through newest: UInt64
    ) throws(StoreFailure) -> [Event.Kind: Int] {
        var counts: [Event.Kind: Int] = [:]
        for row in try connection.rows(
            Self.countKinds,
            [SQLValue(sequence), SQLValue(newest)]
        ) {
            // The text of an attacker can be invalid: then the value is not a text.
            if case .text(let name) = try row[.kind], let kind = Event.Kind(rawValue: name) {
                counts[kind] = Int(try row.integer(.count))
            } else {
                let key = [try row[.sequence]]
                recorded.skipped.append(.forged(row: Table.audit.description(of: key)))
            }
        }
        return counts
    }

    /// The kinds and subjects of revocations of devices and tokens; notes malformed records.
    func revocations(
        after sequence: UInt64,
        through newest: UInt64
    ) throws(StoreFailure) -> [(kind: Event.Kind, subject: String)] {
        let kinds: [Event.Kind] = [.deviceRevoked, .bankTokenRevoked]
        let values = [SQLValue(sequence), SQLValue(newest)] + kinds.map { .text($0.rawValue) }
        return try rows(Self.selectOfKinds, values) { row throws(StoreFailure) in
            try skippingForged { () throws(StoreFailure) in
                try reading(row, of: .audit, [try row[.sequence]]) { row throws(StoreFailure) in
                    guard let kind = Event.Kind(rawValue: try row.text(.kind)) else {
                        throw .damaged
                    }
                    return (kind, try row.text(.subject))
                }
            }
        }.compactMap(\.self)
    }

    func auditHash(at sequence: UInt64) throws(StoreFailure) -> [UInt8]? {
        try row(Self.selectHash, [SQLValue(sequence)])?.bytes(.hash)
    }

    private static let selectAccounts = Statement(
        "SELECT \([.sequence] + .account) FROM audit \(after: [.sequence])"
    )
    private static let countKinds = Statement(
        """
        SELECT \([.kind]), \(.count, from: "COUNT(*)"), \(.sequence, from: "MIN(sequence)")
        FROM audit WHERE sequence > $1 AND sequence <= $2 GROUP BY kind
        """
    )
    private static let selectOfKinds = Statement(
        """
        SELECT \([.sequence, .kind, .subject]) FROM audit
        WHERE sequence > $1 AND sequence <= $2 AND kind IN ($3, $4)
        """
    )
    private static let selectHash = Statement("SELECT \([.hash]) FROM audit WHERE sequence = $1")
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

extension Ledger {
    private func auditRow(_ row: Row) throws(StoreFailure) -> AuditRow {
        let sequence = try row.integer(.sequence)
        var isForged = false
        do throws(StoreFailure) {
            try check(.record, in: row, key: [.integer(sequence)])
            // An audit reads every record of the store.
            _ = recorded.forget(RowName(.record, [.integer(sequence)]))
        } catch {
            guard error.isOfOneRow else { throw error }
            isForged = true
        }
        // `try?`: the caller reports the row, whatever is wrong with it.
        return AuditRow(sequence: sequence, record: try? AuditRecord(row), isForged: isForged)
    }
}

/// A row of the audit table, which another program may have written.
struct AuditRow {
    let sequence: Int64
    /// Nil if the row is not a valid record.
    let record: AuditRecord?
    /// Whether the row has no valid tag; false if the tag was not checked.
    let isForged: Bool

    /// The table and key of the row, for an operator.
    var name: String { Table.audit.description(of: [.integer(sequence)]) }
}

extension AuditRecord {
    fileprivate var stored: NamedValues {
        [
            .sequence: SQLValue(sequence), .moment: SQLValue(moment), .actor: .text(actor.text),
            .kind: .text(event.kind.rawValue), .enterprise: SQLValue(event.concern?.enterprise),
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
                within: try row.concern(),
                detail: try row.text(.detail)
            ),
            traces: try row.bytes(.traces),
            hash: try row.bytes(.hash)
        )
    }
}
