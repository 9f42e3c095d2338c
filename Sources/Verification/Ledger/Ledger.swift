import Sealing
package import Storage
import TransactionApproval

/// The stored data of a verifier, within one transaction.
///
/// It reads and writes whole records; the rules decide how a record may change. All changes of a
/// rule and its events are written in the same transaction, or none of them.
package struct Ledger {
    let connection: any SQLConnection
    /// A committed audit head, which the store must still contain.
    private let known: AuditHead
    let recorded = Recorded()

    package init(_ connection: any SQLConnection) {
        self.init(connection, after: .empty)
    }

    init(_ connection: any SQLConnection, after known: AuditHead) {
        self.connection = connection
        self.known = known
    }

    /// The events and changes that this transaction has added to the audit trail.
    final class Recorded {
        var events = CommittedEvents()
        /// Changes of rows since the last audit record.
        var traces: [RowTrace] = []
        /// The last read value; no other job changes it during the transaction.
        var minimumKeyVersion: UInt32?

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

extension Database {
    func readLedger<Outcome: Sendable>(
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome {
        try await read { connection throws(StoreFailure) in try work(Ledger(connection)) }
    }
}

extension Ledger {
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

    /// The ids of all rows of a result.
    func identifiers<Identifier: TextIdentifier>(
        _ statement: Statement,
        _ values: [SQLValue]
    ) throws(StoreFailure) -> [Identifier] {
        try rows(statement, values) { row throws(StoreFailure) in try row.identifier(.id) }
    }

    /// Changes exactly one row, which must exist.
    func change(_ statement: Statement, _ values: NamedValues) throws(StoreFailure) {
        guard try connection.run(statement, values) == 1 else { throw .damaged }
    }
}
