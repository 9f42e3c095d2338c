import Cryptography
import Sealing
package import Storage
package import TransactionApproval

/// The state of a whole store.
package struct StoreState: Equatable, Sendable {
    /// Random; a checkpoint belongs to one store.
    package let id: [UInt8]
    /// Random for each restore; nil before the first one.
    package internal(set) var restoreID: [UInt8]?
    package internal(set) var epoch: Epoch
    package internal(set) var audit: AuditHead
    /// No value may be stored under an older key.
    package internal(set) var minimumKeyVersion: UInt32
    /// A backup accepts no decisions before it is restored.
    package internal(set) var isBackup: Bool

    fileprivate var names: StoreNames { StoreNames(id: id, restoreID: restoreID) }
}

/// The ids of a store, from which the keys of its rows are derived.
struct StoreNames: Equatable, Sendable {
    let id: [UInt8]
    /// Nil before the first restore.
    let restoreID: [UInt8]?

    var bytes: [UInt8] { id + (restoreID ?? []) }
}

extension Ledger {
    package func state() throws(StoreFailure) -> StoreState {
        if let state = recorded.state { return state }
        try beginSharing()
        if let state = shared?.state { return try use(state) }
        guard let row = try row(Self.selectState, []) else { throw .damaged }
        if keyRing != nil, try row.isNull(.tag) { throw .unauthenticated }
        let names = try StoreNames(row)
        if names != recorded.names ?? memory?.storeNames { recorded.use(names) }
        try check(.verifier, in: row, key: Self.stateKey)
        try check(names)
        let state = try state(row)
        keyRing?.retire(olderThan: state.minimumKeyVersion)
        share(state)
        return state
    }

    /// After an authentic restore, this process knows discarded records.
    private func check(_ names: StoreNames) throws(StoreFailure) {
        if let known = memory?.storeNames, known != names { throw .rolledBack }
    }

    private func share(_ state: StoreState) {
        guard
            let row = recorded.rows[Self.stateName],
            let version = recorded.ownKeyVersion
        else { return }
        shared?.state = SharedRows.State(state: state, row: row, keyVersion: version)
    }

    private func use(_ found: SharedRows.State) throws(StoreFailure) -> StoreState {
        let state = found.state
        if let minimum = memory?.find(Self.stateName).minimumVersion, found.row.version < minimum {
            throw .rolledBack
        }
        if state.names != recorded.names ?? memory?.storeNames { recorded.use(state.names) }
        try check(state.names)
        try check(state.audit)
        recorded.note(found.row, as: Self.stateName)
        recorded.ownKeyVersion = found.keyVersion
        recorded.state = state
        return state
    }

    /// Reads the state of a store without tags.
    func trustState() throws(StoreFailure) -> StoreState {
        guard let row = try row(Self.selectState, []) else { throw .damaged }
        let unsigned = KnownRow(version: 0, digests: try row.digests(of: .verifier))
        recorded.note(unsigned, as: Self.stateName)
        return try state(row)
    }

    package func hasOwnTag() throws(StoreFailure) -> Bool {
        guard let row = try row(Self.selectState, []) else { throw .damaged }
        return try !row.isNull(.tag)
    }

    private func state(_ row: Row) throws(StoreFailure) -> StoreState {
        let head = AuditHead(
            sequence: try row.number(.auditSequence),
            moment: try row.moment(.auditMoment),
            hash: try row.bytes(.auditHash)
        )
        try check(head)
        let state = StoreState(
            id: try row.bytes(.storeID),
            restoreID: try row.optionalBytes(.restoreID),
            epoch: Epoch(try row.number(.epoch)),
            audit: head,
            minimumKeyVersion: try row.keyVersion(.minimumKeyVersion),
            isBackup: try row.flag(.isBackup)
        )
        recorded.state = state
        return state
    }

    /// The ids, before the state can be checked.
    func storeNames() throws(StoreFailure) -> StoreNames {
        if let names = recorded.names ?? memory?.storeNames { return names }
        if let id = recorded.newStoreID { return StoreNames(id: id, restoreID: nil) }
        guard let names = try storedNames() else { throw .damaged }
        return names
    }

    /// Nil for a store that is empty, or whose rows have no tags yet.
    func authenticNames() throws(StoreFailure) -> StoreNames? {
        guard try storedNames() != nil, try hasOwnTag() else { return nil }
        return try state().names
    }

    /// Nil for an empty store.
    func storedNames() throws(StoreFailure) -> StoreNames? {
        guard let row = try row(Self.selectNames, []) else { return nil }
        return try StoreNames(row)
    }

    /// Writes the parts of the state that a statement sets.
    func save(_ new: StoreState, by statement: Statement) throws(StoreFailure) {
        try update(new.stored, .verifier, by: statement, tracing: [])
        recorded.state = new
        share(new)
    }

    /// Writes a row without changing it, which takes as long as a change.
    func writeWithoutChange() throws(StoreFailure) {
        try change(Self.rewriteState, [:])
    }

    /// Initializes an empty store; returns false if it was initialized before.
    package func begin(_ id: [UInt8]) throws(StoreFailure) -> Bool {
        guard try storedNames() == nil else { return false }
        recorded.newStoreID = id
        defer { recorded.newStoreID = nil }
        let state = StoreState(
            id: id,
            restoreID: nil,
            epoch: Epoch(0),
            audit: .empty,
            minimumKeyVersion: 0,
            isBackup: false
        )
        let values = state.stored + [.fingerprintKey: .null]
        return try add(values, .verifier, by: Self.insertState, tracing: [])
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
            try add(record)
            if event.kind.notifiesBank { try queueWebhook(for: record) }
            if event.isPushed { try queuePushes(for: record) }
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

    /// Leaves it to the end of the transaction, so that jobs with one commit write one head.
    private func saveHead(of state: StoreState) throws(StoreFailure) {
        try beginSharing()
        try noteNext(state.stored, .verifier)
        recorded.state = state
        share(state)
        shared?.owesHead = true
    }

    func writeHead(of shared: SharedRows.State) throws(StoreFailure) {
        recorded.use(shared.state.names)
        guard
            let tag = try tag(of: Self.stateName, shared.row, keyVersion: shared.keyVersion)
        else { throw .misuse }
        let values = shared.state.stored + [.tag: .bytes(tag.stored)]
        guard try connection.run(Self.updateHead, values) == 1 else { throw .damaged }
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
        _ values: [SQLValue]
    ) throws(StoreFailure) -> [AuditRecord] {
        try rows(statement, values) { row throws(StoreFailure) in
            try check(.record, in: row, key: try row[Table.audit.key])
            return try AuditRecord(row)
        }
    }

    private func add(_ record: AuditRecord) throws(StoreFailure) {
        guard try add(record.stored, .record, by: Self.insertRecord, tracing: []) else {
            throw .damaged
        }
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

    /// The accounts in the records after `sequence`, and the number of the last one.
    func accounts(
        after sequence: UInt64,
        limit: Int
    ) throws(StoreFailure) -> (accounts: Set<AccountReference>, last: UInt64?) {
        let rows = try connection.rows(Self.selectAccounts, [SQLValue(sequence), SQLValue(limit)])
        var accounts: Set<AccountReference> = []
        for row in rows {
            if let account = try row.concern()?.account { accounts.insert(account) }
        }
        return (accounts, try rows.last?.number(.sequence))
    }

    /// The events of each kind after one record and up to another.
    ///
    /// Also returns the first record of each unknown kind, which no verifier wrote.
    func eventCounts(
        after sequence: UInt64,
        through newest: UInt64
    ) throws(StoreFailure) -> (counts: [Event.Kind: Int], forged: [String]) {
        var counts: [Event.Kind: Int] = [:]
        var forged: [String] = []
        for row in try connection.rows(
            Self.countKinds,
            [SQLValue(sequence), SQLValue(newest)]
        ) {
            // The text of an attacker can be invalid: then the value is not a text.
            if case .text(let name) = try row[.kind], let kind = Event.Kind(rawValue: name) {
                counts[kind] = Int(try row.integer(.count))
            } else {
                forged.append(Table.audit.description(of: [try row[.sequence]]))
            }
        }
        return (counts, forged)
    }

    func auditHash(at sequence: UInt64) throws(StoreFailure) -> [UInt8]? {
        try row(Self.selectHash, [SQLValue(sequence)])?.bytes(.hash)
    }

    private static let stateKey: [SQLValue] = [.integer(1)]
    private static let stateName = RowName(.verifier, stateKey)
    private static let selectNames = Statement(
        "SELECT \([.storeID, .restoreID]) FROM verifier WHERE id = 1"
    )
    private static let insertState = Statement(
        "INSERT INTO verifier \(insert: Table.verifier.columns) ON CONFLICT (id) DO NOTHING"
    )
    private static let selectState = Statement(
        "SELECT \(Table.verifier.values) FROM verifier WHERE id = 1"
    )
    private static let rewriteState = Statement("UPDATE verifier SET epoch = epoch WHERE id = 1")
    private static let updateHead = Statement(
        """
        UPDATE verifier SET \(set: [.auditSequence, .auditMoment, .auditHash, .tag])
        WHERE id = 1 AND audit_sequence < \(valueOf: .auditSequence)
        """
    )
    private static let selectAccounts = Statement(
        "SELECT \([.sequence] + .account) FROM audit \(after: [.sequence])"
    )
    private static let countKinds = Statement(
        """
        SELECT \([.kind]), \(.count, from: "COUNT(*)"), \(.sequence, from: "MIN(sequence)")
        FROM audit WHERE sequence > $1 AND sequence <= $2 GROUP BY kind
        """
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

extension StoreNames {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        self.init(
            id: try row.bytes(.storeID),
            restoreID: try row.optionalBytes(.restoreID)
        )
    }
}

extension StoreState {
    fileprivate var stored: NamedValues {
        [
            .id: .integer(1), .storeID: .bytes(id), .restoreID: SQLValue(restoreID),
            .epoch: SQLValue(epoch.value),
            .minimumKeyVersion: .integer(Int64(minimumKeyVersion)), .isBackup: SQLValue(isBackup),
        ] + audit.stored
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
