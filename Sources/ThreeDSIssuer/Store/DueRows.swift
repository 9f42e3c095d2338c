import Storage
import Transactions

/// Rows whose time has come, the oldest first, for background work.
///
/// A row that was changed by others must not stop the work on all other rows.
struct DueRows<Element: Sendable>: Sendable {
    var elements: [Element] = []
    /// Of rows that cannot be read.
    private(set) var failures: [StoreFailure] = []
    /// The place of the last row; nil if no further rows can follow.
    private(set) var end: DueCursor?

    /// The result of a query with this limit, in the order of a time and a name.
    init(
        _ rows: [Row],
        limit: Int,
        by time: Column,
        _ name: Column,
        reading read: (Row) throws(StoreFailure) -> Element
    ) throws(StoreFailure) {
        for row in rows {
            do throws(StoreFailure) {
                elements.append(try read(row))
            } catch {
                failures.append(error)
            }
        }
        if rows.count == limit, let last = rows.last {
            end = DueCursor(time: try last.integer(time), name: try last.text(name))
        }
    }
}

/// A place among rows in the order of a time and a name.
struct DueCursor: Sendable {
    fileprivate let time: Int64
    fileprivate let name: String

    static let start = DueCursor(time: .min, name: "")
    /// After the withdrawals among the calls, which are due at the earliest time.
    static let endOfWithdrawals = DueCursor(time: Timestamp.earliest.stored + 1, name: "")

    /// For a query.
    var values: [SQLValue] { [.integer(time), .text(name)] }
}
