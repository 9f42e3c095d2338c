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
        guard let row = try row(Self.queryOfState) else { throw .damaged }
        let names = try StoreNames(row)
        if names != recorded.names ?? memory?.storeNames { recorded.use(names) }
        try check(.verifier, in: row, key: Self.stateKey)
        try check(names)
        let state = try state(row)
        keyRing?.retire(olderThan: state.minimumKeyVersion)
        share(state)
        return state
    }

    static let queryOfState = Query(selectState, [])

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
        if let minimum = memory?.find(Self.stateName)?.minimumVersion, found.row.version < minimum {
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

    /// Whether the verifier's own row is authentic under the keys of this ledger.
    package func hasAuthenticState() throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            _ = try state()
            return true
        } catch {
            switch error.reason {
            case .forged, .missingKey: return false
            default: throw error
            }
        }
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

    /// Nil for an empty store.
    func authenticNames() throws(StoreFailure) -> StoreNames? {
        guard try storedNames() != nil else { return nil }
        return try state().names
    }

    /// Nil for an empty store.
    func storedNames() throws(StoreFailure) -> StoreNames? {
        guard let row = try row(Self.selectNames, []) else { return nil }
        return try StoreNames(row)
    }

    /// Writes the parts of the state that a statement sets.
    func save(_ new: StoreState, by statement: Statement) throws(StoreFailure) {
        try update(new.stored, .verifier, by: statement)
        recorded.state = new
        share(new)
    }

    /// Writes a row without changing it, which takes as long as a change.
    func writeWithoutChange() throws(StoreFailure) {
        try connection.change(Self.rewriteState, [:])
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
        return try addIfMissing(values, .verifier, by: Self.insertState, tracing: [])
    }

    /// Leaves it to the end of the transaction, so that jobs with one commit write one head.
    func saveHead(of state: StoreState) throws(StoreFailure) {
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
        try connection.change(Self.updateHead, values)
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
