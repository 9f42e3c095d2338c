import Cryptography
import Storage
import Transactions

/// The events that the issuer does not have, in one transaction of the store.
struct EventTable {
    let connection: any SQLConnection
    let seal: RowSeal

    /// An authentication has one event, so an earlier row is one of another program.
    func add(_ event: StoredEvent) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        try connection.change(.addEvent, values(of: event))
    }

    func replace(_ event: StoredEvent) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        try connection.change(.replaceEvent, values(of: event))
    }

    func remove(_ authentication: String) throws(StoreFailure) {
        try connection.run(.removeEvent, [.text(authentication)])
    }

    /// Nil if the issuer has it, or if there never was one.
    func event(_ authentication: String) throws(StoreFailure) -> StoredEvent? {
        let rows = try connection.rows(.event, [.text(authentication)])
        return try rows.first.map { row throws(StoreFailure) in try event(row) }
    }

    /// Removes at most `limit` events that were made before `moment`, and returns their number.
    func removeOld(before moment: Timestamp, limit: Int) throws(StoreFailure) -> Int {
        try connection.run(
            .removeOldEvents,
            [.integer(moment.stored), .integer(Int64(limit))]
        )
    }
}

// MARK: Lists

extension EventTable {
    enum State: String, CaseIterable, Encodable, Sendable {
        case waiting, givenUp
    }

    /// In the order of their authentications; in both states if there is none.
    func events(
        _ state: State?,
        after authentication: String?,
        limit: Int
    ) throws(StoreFailure) -> RowPage<StoredEvent> {
        let place = authentication.map { SQLValue.text($0) }
        let values = [place ?? .text(""), .integer(Int64(limit))]
        let rows =
            switch state {
            case .waiting: try connection.rows(.waitingEvents, values)
            case .givenUp: try connection.rows(.givenUpEvents, values)
            case nil: try connection.rows(.events, after: place.map { [$0] }, limit: limit)
            }
        return try RowPage(rows, "event", by: .authentication, under: seal, on: connection) {
            row throws(StoreFailure) in
            try event(row)
        }
    }

    /// The number of events that are no longer sent, and that of rows which cannot be read.
    func givenUpCounts() throws(StoreFailure) -> (events: Int, unreadable: Int) {
        var (counts, last) = ((events: 0, unreadable: 0), String?.none)
        repeat {
            let page = try events(nil, after: last, limit: 1000)
            counts.events += page.elements.count { $0.due == nil }
            counts.unreadable += page.unreadable.count
            last = page.lastName
        } while last != nil
        return counts
    }

    func hasDue(at now: Timestamp) throws(StoreFailure) -> Bool {
        try !connection.dueRows(.dueEvents, .ofEvents(at: now), after: .start, limit: 1).isEmpty
    }

    /// The events that must be sent, the oldest first.
    func due(
        at now: Timestamp,
        after cursor: DueCursor,
        limit: Int
    ) throws(StoreFailure) -> DueRows<StoredEvent> {
        let times = DueTimes.ofEvents(at: now)
        let rows = try connection.dueRows(.dueEvents, times, after: cursor, limit: limit)
        return try DueRows(rows, limit: limit, by: .due, .authentication) {
            row throws(StoreFailure) in
            try event(row)
        }
    }
}

// MARK: Rows

extension EventTable {
    /// The columns to which the content is bound, apart from the authentication.
    static let boundColumns: [Column] = [.made, .due]

    /// The sealed part of a row.
    private struct Content: Codable {
        let body: String
        let started: UInt64
        let tries: Int
    }

    private func values(of event: StoredEvent) throws(StoreFailure) -> NamedValues {
        let columns: [SQLValue] = [
            .integer(event.made.stored),
            event.due.map { .integer($0.stored) } ?? .null,
        ]
        let content = Content(
            body: String(decoding: event.body, as: UTF8.self),
            started: event.started.milliseconds,
            tries: event.tries
        )
        let name = event.authentication
        return [
            .authentication: .text(name), .made: columns[0], .due: columns[1],
            .sealed: try seal.sealed(content, for: .event(name, columns)),
        ]
    }

    private func event(_ row: Row) throws(StoreFailure) -> StoredEvent {
        let authentication = try row.text(.authentication)
        let identity = RowIdentity.event(authentication, try row[Self.boundColumns])
        let content: Content = try seal.opened(row[.sealed], of: identity)
        let due = try row.isNull(.due) ? nil : row.timestamp(.due)
        guard let started = Timestamp(milliseconds: content.started) else { throw .damaged }
        return StoredEvent(
            of: authentication,
            Array(content.body.utf8),
            made: try row.timestamp(.made),
            due: due,
            started: started,
            tries: content.tries
        )
    }
}

extension Statement {
    private static let columns = Table.notifications.columns

    fileprivate static let addEvent = Statement(
        """
        INSERT INTO notifications \(insert: columns) ON CONFLICT (authentication) DO UPDATE
        SET \(set: [.made, .due, .sealed])
        """
    )
    fileprivate static let replaceEvent = Statement(
        "UPDATE notifications SET \(set: [.due, .sealed]) WHERE \(match: [.authentication])"
    )
    fileprivate static let removeEvent = Statement(
        "DELETE FROM notifications WHERE \(match: [.authentication])"
    )
    fileprivate static let event = Statement(
        "SELECT \(columns) FROM notifications WHERE \(match: [.authentication])"
    )
    fileprivate static let waitingEvents = Statement(
        """
        SELECT \(columns) FROM notifications \
        WHERE due IS NOT NULL AND authentication > $1 ORDER BY authentication LIMIT $2
        """
    )
    fileprivate static let givenUpEvents = Statement(
        """
        SELECT \(columns) FROM notifications \
        WHERE due IS NULL AND authentication > $1 ORDER BY authentication LIMIT $2
        """
    )
    fileprivate static let dueEvents = Statement(
        """
        SELECT \(columns) FROM notifications \
        WHERE due <= $1 AND (due, authentication) > ($2, $3) \
        ORDER BY due, authentication LIMIT $4
        """
    )
    /// Without an order, which would need an index: the issuer soon has most events.
    fileprivate static let removeOldEvents = Statement(
        """
        DELETE FROM notifications WHERE authentication IN
            (SELECT authentication FROM notifications WHERE made < $1 LIMIT $2)
        """
    )
}

extension PagedStatement {
    fileprivate static let events = PagedStatement(
        "SELECT \(Table.notifications.columns) FROM notifications",
        by: [.authentication]
    )
}
