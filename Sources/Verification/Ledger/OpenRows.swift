import Storage
import TransactionApproval

/// The open rows of a table, in the order of their deadlines.
///
/// Only the deadline and the id are read, with whatever another program put into them. The caller
/// reads the whole row, which checks it.
struct OpenRows: Sendable {
    fileprivate let table: Table
    fileprivate let select: Statement

    private init(_ table: Table) {
        self.table = table
        select = Statement(
            """
            SELECT \([.deadline, .id]) FROM \(table)
            WHERE closed IS NULL AND deadline <= $1 AND (deadline, id) > ($2, $3)
            ORDER BY deadline, id LIMIT $4
            """
        )
    }

    static let transactions = OpenRows(.transactions)
    static let activations = OpenRows(.activations)
}

/// The deadline and the id of a row, after which a page continues.
struct OpenPlace: Equatable, Sendable {
    fileprivate let deadline: SQLValue
    fileprivate let id: SQLValue

    /// Before all rows.
    static let start = OpenPlace(deadline: .integer(.min), id: .text(""))
}

extension Ledger {
    /// At most `limit` open rows after a place, with deadlines up to `end`; nil for all deadlines.
    func open(
        _ rows: OpenRows,
        until end: Timestamp?,
        after place: OpenPlace,
        limit: Int
    ) throws(StoreFailure) -> [Row] {
        let end = end.map { SQLValue($0) } ?? .integer(.max)
        return try connection.rows(
            rows.select,
            [end, place.deadline, place.id, SQLValue(limit)]
        )
    }

    func place(of row: Row) throws(StoreFailure) -> OpenPlace {
        OpenPlace(deadline: try row[.deadline], id: try row[.id])
    }

    /// The id of an open row; the row is forged if the id is malformed.
    func identifier<Identifier: TextIdentifier>(
        of row: Row,
        in rows: OpenRows
    ) throws(StoreFailure) -> Identifier {
        try reading(row, of: rows.table, [try row[.id]]) { row throws(StoreFailure) in
            try row.identifier(.id)
        }
    }
}
