import Sealing
import Storage
import TransactionApproval

/// Rows that the jobs of one transaction read once, and the head that they write once.
///
/// No other transaction changes them meanwhile.
final class SharedRows: SharedData {
    /// The row of the verifier, with its state.
    struct State {
        let state: StoreState
        let row: KnownRow
        /// The key version of the row's tag.
        let keyVersion: UInt32
    }

    private let keyRing: KeyRing
    var state: State?
    /// Whether the head in `state` is not stored yet.
    var owesHead = false
    private var hasWrittenHead = false
    /// The last versions of the rows that the jobs wrote.
    private var written: [RowName: KnownRow] = [:]
    /// The same before the current job.
    private var kept: [RowName: KnownRow] = [:]
    private var memory: StoreMemory.View?
    /// The policy that was used last, and the version of its row.
    var policy: (enterprise: EnterpriseID, parsed: EnterprisePolicy, version: UInt64)?

    private init(_ keyRing: KeyRing) {
        self.keyRing = keyRing
    }

    /// A ledger without keys shares nothing: it checks no tags.
    static func of(_ connection: any SQLConnection, _ keyRing: KeyRing?) -> SharedRows? {
        guard let keyRing else { return nil }
        if let rows = connection.shared as? SharedRows, rows.keyRing === keyRing { return rows }
        return SharedRows(keyRing)
    }

    func write(on connection: any SQLConnection) throws(StoreFailure) {
        kept = written
        guard owesHead else { return }
        guard let state else { throw .misuse }
        try Ledger(connection, keyRing).writeHead(of: state)
        (owesHead, hasWrittenHead) = (false, true)
    }

    /// Notes a row that must have at least this version from now on.
    func note(_ row: KnownRow, as name: RowName, for memory: StoreMemory.View) {
        guard name.part.isRemembered else { return }
        written[name] = row
        self.memory = memory
    }

    /// Zero for a row that no job wrote.
    func minimumVersion(of name: RowName) -> UInt64 { written[name]?.version ?? 0 }

    /// The job may have changed the shared rows.
    func undoJob() {
        (state, owesHead, policy) = (nil, false, nil)
        written = kept
    }

    /// Looks for the last audit record of the jobs, with its tag: no other program can write that.
    ///
    /// Jobs without a record change no row that decides something.
    func isCommitted(on connection: any SQLConnection) throws(StoreFailure) -> Bool {
        guard hasWrittenHead, let head = state?.state.audit else { return written.isEmpty }
        let record = try Ledger(connection, keyRing).auditRecord(head.sequence)
        return record.map { AuditHead($0) } == head
    }

    func committed() { memory?.remember(written.map { ($0.key, $0.value) }) }
}

extension Ledger {
    /// Makes this ledger's rows the shared ones; those of other keys are written first.
    func beginSharing() throws(StoreFailure) {
        guard connection.shared !== shared else { return }
        try connection.shared?.write(on: connection)
        connection.shared = shared
    }
}
