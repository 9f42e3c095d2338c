package import Sealing
package import Storage
import TransactionApproval

/// The stored data of a verifier, within one transaction.
///
/// It reads and writes whole records; the rules decide how a record may change. All changes of a
/// rule and its events are written in the same transaction, or none of them.
package struct Ledger {
    let connection: any SQLConnection
    /// Nil for a reader without keys, which checks no tags and cannot write tagged rows.
    let keyRing: KeyRing?
    /// A committed audit head, which the store must still contain.
    private let known: AuditHead
    let memory: StoreMemory.View?
    let recorded = Recorded()
    let shared: SharedRows?

    package init(
        _ connection: any SQLConnection,
        _ keyRing: KeyRing?,
        after known: AuditHead = .empty
    ) {
        self.init(connection, keyRing, after: known, nil)
    }

    init(
        _ connection: any SQLConnection,
        _ keyRing: KeyRing?,
        after known: AuditHead = .empty,
        _ memory: StoreMemory.View?
    ) {
        self.connection = connection
        self.keyRing = keyRing
        self.known = known
        self.memory = memory
        shared = SharedRows.of(connection, keyRing)
    }

    /// The events and changes that this transaction has added to the audit trail.
    final class Recorded {
        var events = CommittedEvents()
        /// The wrong codes that this transaction counts.
        var countedFailures: [CountedFailures] = []
        /// Why rows were left as they are: another program wrote them, or their key is missing.
        ///
        /// After a commit or a read, the monitor of forgeries gets the forged ones. A restore takes them.
        var skipped: [StoreFailure] = []
        /// Changes of rows since the last audit record.
        var traces: [RowTrace] = []
        /// The last read or written state; no other job changes it during the transaction.
        var state: StoreState?
        /// The key version of the verifier's own tag; nil if it was not checked.
        var ownKeyVersion: UInt32?
        /// While the state of a new store is written.
        var newStoreID: [UInt8]?
        /// The ids in the row of the verifier, or of the restore that this transaction carries out.
        private(set) var names: StoreNames?
        /// The tagged parts of rows that this transaction read or wrote.
        private(set) var rows = RecordedRows()
        /// The names of rows that the process does not remember yet.
        private var newNames: [RowName] = []
        /// Authentic rows of an earlier transaction; they may have changed since.
        var authentic: RecordedRows?
        /// The authenticator that was used last.
        var authenticator: RowAuthenticator?

        /// For a caller that reports them itself.
        func takeSkipped() -> [StoreFailure] {
            defer { skipped = [] }
            return skipped
        }

        /// The row keys of other ids are no longer used.
        func use(_ names: StoreNames) {
            self.names = names
            authenticator = nil
        }

        func note(_ row: KnownRow, as name: RowName, isRemembered: Bool = false) {
            rows[name] = row
            if !isRemembered, name.part.isRemembered { newNames.append(name) }
        }

        /// Removes a row, so that memory stays bounded if many are read.
        func forget(_ name: RowName) -> KnownRow? {
            newNames.removeAll { $0 == name }
            defer { rows[name] = nil }
            return rows[name]
        }

        /// The rows that the process must remember after the commit.
        var newRows: SeenRows {
            newNames.compactMap { name in rows[name].map { (name, $0) } }
        }

        /// Only in debug builds: `audit verify` finds such rows, and stopping would not record them.
        func assertTraced() {
            assert(traces.isEmpty, "rows were written without an audit record")
        }
    }

    /// Fails if the trail does not contain the known head.
    func check(_ head: AuditHead) throws(StoreFailure) {
        guard
            head.sequence > known.sequence
                || head.sequence == known.sequence && head.hash == known.hash
        else { throw .rolledBack }
    }
}

extension Ledger {
    func row(_ query: Query) throws(StoreFailure) -> Row? { try connection.rows(query).first }

    /// The first row of a result; nil if there is none.
    func row(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Row? {
        try connection.rows(statement, values).first
    }

    func rows<Result>(
        _ statement: Statement,
        _ values: [SQLValue],
        _ read: (Row) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> [Result] {
        try connection.rows(statement, values).map(read)
    }

    struct Page {
        let rows: [Row]
        /// The key of the last row.
        let last: [SQLValue]
    }

    /// The next rows of a table in the order of its key; nil at the end of the table.
    func page(
        _ select: PagedStatement,
        of table: Table,
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> Page? {
        let rows = try connection.rows(select, after: last, limit: limit)
        guard let end = rows.last else { return nil }
        return Page(rows: rows, last: try end[table.key])
    }

    /// The ids of all rows of a result.
    func identifiers<Identifier: TextIdentifier>(
        _ statement: Statement,
        _ values: [SQLValue]
    ) throws(StoreFailure) -> [Identifier] {
        try rows(statement, values) { row throws(StoreFailure) in try row.identifier(.id) }
    }

    /// Returns nil if `work` fails because of one row: it is forged or damaged, or its key is missing.
    func skippingForged<Result>(
        _ work: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result? {
        do throws(StoreFailure) {
            return try work()
        } catch {
            guard error.isOfOneRow else { throw error }
            recorded.skipped.append(error)
            return nil
        }
    }

    /// Reads columns without a tag: if they are malformed, another program wrote them.
    func reading<Value>(
        _ row: Row,
        of table: Table,
        _ key: [SQLValue],
        _ read: (Row) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        do throws(StoreFailure) {
            return try read(row)
        } catch {
            throw error == .damaged ? .forged(row: table.description(of: key)) : error
        }
    }
}
