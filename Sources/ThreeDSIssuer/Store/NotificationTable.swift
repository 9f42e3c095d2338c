import Cryptography
import Storage
import Transactions

/// The notifications that the issuer does not have, in one transaction of the store.
struct NotificationTable {
    let connection: any SQLConnection
    let seal: RowSeal

    func add(_ notification: StoredNotification) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        try connection.change(.addNotification, values(of: notification))
    }

    func replace(_ notification: StoredNotification) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        try connection.change(.replaceNotification, values(of: notification))
    }

    func remove(_ authentication: String) throws(StoreFailure) {
        try connection.run(.removeNotification, [.text(authentication)])
    }

    /// Nil if the issuer has it, or if there never was one.
    func notification(_ authentication: String) throws(StoreFailure) -> StoredNotification? {
        let rows = try connection.rows(.notification, [.text(authentication)])
        return try rows.first.map { row throws(StoreFailure) in try notification(row) }
    }

    /// Removes the notifications that were made before `moment`.
    func removeAll(before moment: Timestamp) throws(StoreFailure) {
        try connection.run(.removeOldNotifications, [.integer(Int64(moment.milliseconds))])
    }
}

// MARK: Lists

extension NotificationTable {
    enum State: String, CaseIterable, Encodable, Sendable {
        case waiting, givenUp
    }

    /// In the order of their authentications; in both states if there is none.
    func notifications(
        _ state: State?,
        after authentication: String,
        limit: Int
    ) throws(StoreFailure) -> RowPage<StoredNotification> {
        let statement: Statement =
            switch state {
            case .waiting: .waitingNotifications
            case .givenUp: .givenUpNotifications
            case nil: .notifications
            }
        let values: [SQLValue] = [.text(authentication), .integer(Int64(limit))]
        let rows = try connection.rows(statement, values)
        return try RowPage(rows, "notification", by: .authentication) { row throws(StoreFailure) in
            try notification(row)
        }
    }

    /// As the column states it: the rows are not opened.
    func givenUpCount() throws(StoreFailure) -> Int {
        guard let row = try connection.rows(.givenUpCount, []).first else { throw .misuse }
        return Int(try row.integer(.count))
    }

    /// The notifications that must be sent, the oldest first.
    func due(
        at now: Timestamp,
        after cursor: DueCursor,
        limit: Int
    ) throws(StoreFailure) -> DueRows<StoredNotification> {
        let values = [.integer(now.stored)] + cursor.values + [.integer(Int64(limit))]
        let rows = try connection.rows(.dueNotifications, values)
        return try DueRows(rows, limit: limit, by: .due, .authentication) {
            row throws(StoreFailure) in
            try notification(row)
        }
    }
}

// MARK: Rows

extension NotificationTable {
    /// The columns to which the content is bound, apart from the authentication.
    static let boundColumns: [Column] = [.made, .due]

    /// The sealed part of a row.
    private struct Content: Codable {
        let body: String
        let started: UInt64
        let tries: Int
    }

    private func values(of notification: StoredNotification) throws(StoreFailure) -> NamedValues {
        let columns: [SQLValue] = [
            .integer(Int64(notification.made.milliseconds)),
            notification.due.map { .integer(Int64($0.milliseconds)) } ?? .null,
        ]
        let content = Content(
            body: String(decoding: notification.body, as: UTF8.self),
            started: notification.started.milliseconds,
            tries: notification.tries
        )
        let name = notification.authentication
        return [
            .authentication: .text(name), .made: columns[0], .due: columns[1],
            .sealed: try seal.sealed(content, for: .notification(name, columns)),
        ]
    }

    private func notification(_ row: Row) throws(StoreFailure) -> StoredNotification {
        let authentication = try row.text(.authentication)
        let identity = RowIdentity.notification(authentication, try row[Self.boundColumns])
        let content: Content = try seal.opened(row[.sealed], of: identity)
        let due = try row.isNull(.due) ? nil : row.timestamp(.due)
        guard let started = Timestamp(milliseconds: content.started) else { throw .damaged }
        return StoredNotification(
            of: authentication,
            Array(content.body.utf8),
            made: try row.timestamp(.made),
            due: due,
            started: started,
            tries: content.tries
        )
    }
}

extension Row {
    fileprivate func timestamp(_ column: Column) throws(StoreFailure) -> Timestamp {
        let found = UInt64(exactly: try integer(column)).flatMap { Timestamp(milliseconds: $0) }
        guard let found else { throw .damaged }
        return found
    }
}

extension Statement {
    private static let columns = Table.notifications.columns

    fileprivate static let addNotification = Statement(
        "INSERT INTO notifications \(insert: columns)"
    )
    fileprivate static let replaceNotification = Statement(
        "UPDATE notifications SET \(set: [.due, .sealed]) WHERE \(match: [.authentication])"
    )
    fileprivate static let removeNotification = Statement(
        "DELETE FROM notifications WHERE \(match: [.authentication])"
    )
    fileprivate static let notification = Statement(
        "SELECT \(columns) FROM notifications WHERE \(match: [.authentication])"
    )
    fileprivate static let notifications = Statement(
        "SELECT \(columns) FROM notifications \(after: [.authentication])"
    )
    fileprivate static let waitingNotifications = Statement(
        """
        SELECT \(columns) FROM notifications \
        WHERE due IS NOT NULL AND authentication > $1 ORDER BY authentication LIMIT $2
        """
    )
    fileprivate static let givenUpNotifications = Statement(
        """
        SELECT \(columns) FROM notifications \
        WHERE due IS NULL AND authentication > $1 ORDER BY authentication LIMIT $2
        """
    )
    fileprivate static let givenUpCount = Statement(
        "SELECT \(.count, from: "COUNT(*)") FROM notifications WHERE due IS NULL"
    )
    fileprivate static let dueNotifications = Statement(
        """
        SELECT \(columns) FROM notifications \
        WHERE due <= $1 AND (due, authentication) > ($2, $3) \
        ORDER BY due, authentication LIMIT $4
        """
    )
    fileprivate static let removeOldNotifications = Statement(
        "DELETE FROM notifications WHERE made < $1"
    )
}
