import Storage
import ThreeDSProtocol
import Transactions

/// Rows whose time has come, the oldest first, for background work.
///
/// A row that was changed by others must not stop the work on all other rows.
struct DueRows<Element: Sendable>: Sendable {
    var elements: [Element] = []
    /// Of rows that cannot be read.
    private(set) var failures: [StoreFailure] = []
    /// The place of the last row; nil without rows.
    private(set) var last: DueCursor?
    /// Whether further rows can follow.
    let isFull: Bool

    /// The place of the last row; nil if no further rows can follow.
    var end: DueCursor? { isFull ? last : nil }

    /// The result of a query with this limit, in the order of a time and a name.
    init(
        _ rows: [Row],
        limit: Int,
        by time: Column,
        _ name: Column,
        reading read: (Row) throws(StoreFailure) -> Element
    ) throws(StoreFailure) {
        isFull = rows.count == limit
        for row in rows {
            do throws(StoreFailure) {
                elements.append(try read(row))
            } catch {
                failures.append(error)
            }
        }
        last = try rows.last.map { row throws(StoreFailure) in
            DueCursor(time: try row.integer(time), name: try row.text(name))
        }
    }
}

/// The times by which rows are due.
///
/// A time that is further ahead than such a row ever waits was written by a clock that was ahead. Its
/// row is due, too: otherwise it would wait until that time.
struct DueTimes: Sendable {
    fileprivate var last: Timestamp
    /// From here on, all times are wrong; nil if none is.
    fileprivate var firstWrong: Timestamp?
    /// Whether a wrong time only counts in a row that was made under the wrong clock.
    fileprivate var filtersMade = false

    /// Withdrawals.
    static let earliest = DueTimes(last: .earliest)

    /// Orders of transactions.
    static func ofOrders(at now: Timestamp) -> DueTimes {
        DueTimes(last: now, firstWrong: now + Challenge.longestLead)
    }

    /// Clocks of challenges.
    ///
    /// The filter excludes decoupled challenges, which a right clock can let last for days.
    static func ofClocks(at now: Timestamp) -> DueTimes {
        DueTimes(last: now, firstWrong: now + Challenge.longestLead, filtersMade: true)
    }

    /// Results: a lease and the pause after a failure are 10 seconds.
    ///
    /// The clocks of two nodes can differ by the rest.
    static func ofResults(at now: Timestamp) -> DueTimes {
        DueTimes(last: now, firstWrong: now + .seconds(60))
    }

    /// Events: the longest pause after a failure is an hour.
    static func ofEvents(at now: Timestamp) -> DueTimes {
        DueTimes(last: now, firstWrong: now + .seconds(3660))
    }
}

extension SQLConnection {
    /// Runs a query with the parameters: the last time, a cursor (two values), and the limit.
    ///
    /// If the times filter `made`, the first time of it follows. Rows with wrong times come last.
    func dueRows(
        _ statement: Statement,
        _ times: DueTimes,
        after cursor: DueCursor,
        limit: Int
    ) throws(StoreFailure) -> [Row] {
        func rows(
            from made: Int64,
            until last: Int64,
            after cursor: DueCursor,
            limit: Int
        ) throws(StoreFailure) -> [Row] {
            let values = [.integer(last)] + cursor.values + [.integer(Int64(limit))]
            return try self.rows(statement, values + (times.filtersMade ? [.integer(made)] : []))
        }
        let due = try rows(from: .min, until: times.last.stored, after: cursor, limit: limit)
        guard due.count < limit, let wrong = times.firstWrong?.stored else { return due }
        let start = cursor.time < wrong ? DueCursor(time: wrong, name: "") : cursor
        return try due + rows(from: wrong, until: .max, after: start, limit: limit - due.count)
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
