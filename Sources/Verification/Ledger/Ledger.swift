import TransactionApproval

/// What a verifier has stored, seen from inside of one transaction.
///
/// It reads and writes whole records; what they may become is decided by their own rules. All that
/// a rule changed, with its events, is written before the transaction ends, or none of it.
package struct Ledger {
    let connection: any SQLConnection
    /// What was committed before, and must be found.
    private let known: AuditHead
    let recorded = Recorded()

    package init(_ connection: any SQLConnection) {
        self.init(connection, after: .empty)
    }

    init(_ connection: any SQLConnection, after known: AuditHead) {
        self.connection = connection
        self.known = known
    }

    /// What this transaction put on the audit trail until now.
    final class Recorded {
        var events = CommittedEvents()
        /// What was written since then.
        var traces: [RowTrace] = []
        /// As it was read last; no other work changes it meanwhile.
        var minimumKeyVersion: UInt32?

        func assertTraced() {
            assert(traces.isEmpty, "rows were written that no record tells of")
        }
    }

    /// Refuses a trail that is not the known one, or one that went on from there.
    func check(_ head: AuditHead) throws(StoreFailure) {
        guard
            head.sequence > known.sequence
                || head.sequence == known.sequence && head.hash == known.hash
        else { throw .rolledBack }
    }
}

extension Ledger {
    /// The only row of an answer; nil where there is none.
    func row(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Row? {
        try connection.rows(statement, values).first
    }

    /// Changes exactly one row, which is known to be there.
    func change(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) {
        guard try connection.run(statement, values) == 1 else { throw .damaged }
    }
}

// MARK: Values as they are stored

extension SQLValue {
    init(_ identifier: some TextIdentifier) { self = .text(identifier.text) }
    init(_ identifier: some RandomIdentifier) { self = .bytes(identifier.bytes) }
    init(_ identifier: (some TextIdentifier)?) { self = identifier.map { SQLValue($0) } ?? .null }
    init(_ moment: Timestamp) { self = .integer(Int64(moment.milliseconds)) }
    init(_ moment: Timestamp?) { self = moment.map { SQLValue($0) } ?? .null }
    init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }

    /// What is stored is never above what a store's signed integer holds: its type sees to that.
    init(_ number: UInt64) { self = .integer(Int64(number)) }
}

extension Row {
    func identifier<Identifier: TextIdentifier>(
        _ column: Int
    ) throws(StoreFailure) -> Identifier {
        guard let identifier = Identifier(try text(column)) else { throw .damaged }
        return identifier
    }

    func identifier<Identifier: RandomIdentifier>(
        _ column: Int
    ) throws(StoreFailure) -> Identifier {
        guard let identifier = Identifier(try bytes(column)) else { throw .damaged }
        return identifier
    }

    func number(_ column: Int) throws(StoreFailure) -> UInt64 {
        guard let number = UInt64(exactly: try integer(column)) else { throw .damaged }
        return number
    }

    func moment(_ column: Int) throws(StoreFailure) -> Timestamp {
        guard let moment = Timestamp(milliseconds: try number(column)) else { throw .damaged }
        return moment
    }

    func keyVersion(_ column: Int) throws(StoreFailure) -> UInt32 {
        guard let version = UInt32(exactly: try integer(column)) else { throw .damaged }
        return version
    }

    func optionalMoment(_ column: Int) throws(StoreFailure) -> Timestamp? {
        try optionalInteger(column) == nil ? nil : try moment(column)
    }

    /// Reads a value of ours that is stored as its raw number.
    func value<Value: RawRepresentable>(
        _ column: Int
    ) throws(StoreFailure) -> Value where Value.RawValue: FixedWidthInteger {
        guard
            let raw = Value.RawValue(exactly: try integer(column)), let value = Value(rawValue: raw)
        else { throw .damaged }
        return value
    }

    /// The account in three columns from `column` on.
    func account(_ column: Int) throws(StoreFailure) -> AccountReference {
        AccountReference(
            enterprise: try identifier(column),
            key: AccountKey(type: try identifier(column + 1), id: try identifier(column + 2))
        )
    }

    func sealedValue(_ column: Int) throws(StoreFailure) -> SealedValue {
        guard let value = SealedValue(stored: try bytes(column)) else { throw .damaged }
        return value
    }
}

extension [SQLValue] {
    /// Enterprise, type and id, in the order of every statement.
    static func account(_ account: AccountReference) -> [SQLValue] {
        [SQLValue(account.enterprise), SQLValue(account.key.type), SQLValue(account.key.id)]
    }
}
