import Storage
import ThreeDSProtocol
import Transactions

/// The authentications in one transaction of the store.
struct AuthenticationTable {
    let connection: any SQLConnection
    let seal: RowSeal

    /// Returns false if there is an authentication with its identifier of the directory.
    func add(_ row: NewAuthentication) throws(StoreFailure) -> Bool {
        guard try connection.run(.addAuthentication, row.values) == 1 else { return false }
        try connection.change(Table.responses.insertion, row.response)
        return true
    }

    /// Whether the row can be added now: no rotation has replaced the key that sealed it.
    func isCurrent(_ row: NewAuthentication) throws(StoreFailure) -> Bool {
        try seal.checkNewestKey(on: connection)
        let values = try row.values[SealedTable.authentications.sealedColumns]
        return try (values + [row.response[.sealed]]).allSatisfy(seal.isNewest)
    }

    /// Replaces a row that was read in the same transaction.
    func replace(_ authentication: Authentication) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        try connection.change(.replaceAuthentication, seal.values(of: authentication))
    }

    /// Replaces a row, unless it has another content by now.
    ///
    /// Returns false if it has, or if a rotation has replaced the key that sealed the new content.
    func replace(
        _ former: ChallengeRow,
        by values: NamedValues
    ) throws(StoreFailure) -> Bool {
        try seal.checkNewestKey(on: connection)
        guard seal.isNewest(try values[.sealed]) else { return false }
        let statement = Self.replacement(of: former.columns, by: try values[Self.boundColumns])
        return try connection.run(statement, values + [.formerContent: former.content]) == 1
    }

    /// A statement that names few columns: SQLite writes the indexes of each one, changed or not.
    ///
    /// Most polls of an app only move the time at which its clock is read.
    private static func replacement(of former: [SQLValue], by new: [SQLValue]) -> Statement {
        let changed = boundColumns.indices.filter { former[$0] != new[$0] }
        return switch changed.map({ boundColumns[$0] }) {
        case []: .replaceContent
        case [.due]: .replaceDue
        default: .replaceUnchanged
        }
    }

    func eraseChannelKey(of id: String) throws(StoreFailure) {
        try connection.change(.eraseChannelKey, [.id: .text(id)])
    }

    /// The row for a step, as it is committed now.
    func row(at place: ChallengeStep.Place) throws(StoreFailure) -> ChallengeRow? {
        guard let row = try connection.rows(try Self.query(of: place)).first else { return nil }
        let columns = try row[Self.boundColumns]
        return ChallengeRow(
            authentication: try authentication(row, boundTo: columns),
            columns: columns,
            content: try row[.sealed],
            sealedKey: try row[.sealedKey]
        )
    }

    static func query(of place: ChallengeStep.Place) throws(StoreFailure) -> Query {
        switch place {
        case .id(let id): Query(.authentication, [.text(id)])
        case .page(let handle): Query(.authenticationOfPage, [.text(try handle.stored())])
        }
    }

    /// The ARes, for a repeated AReq.
    func response(of authentication: Authentication) throws(StoreFailure) -> StoredResponse {
        let id = authentication.id
        guard let row = try connection.rows(.response, [.text(id)]).first else {
            throw .forged(row: "response \(id)")
        }
        return StoredResponse(bytes: try seal.content(row[.sealed], of: .response(id)))
    }

    func authentication(_ id: String) throws(StoreFailure) -> Authentication? {
        try first(connection.rows(.authentication, [.text(id)]))
    }

    /// Finds a `dsTransID` in either case.
    func authentication(ofDirectory id: String) throws(StoreFailure) -> Authentication? {
        try first(connection.rows(.authenticationOfDirectory, [.text(id.lowercased())]))
    }

    func authentication(ofPage handle: PageHandle) throws(StoreFailure) -> Authentication? {
        try first(connection.rows(.authenticationOfPage, [.text(handle.stored())]))
    }

}

// MARK: Lists

extension AuthenticationTable {
    /// Transactions whose ends are awaited, as columns state them.
    ///
    /// The rows are not opened here. If another program wrote one, its change is refused later.
    struct Awaited: Sendable {
        /// With the identifier of the authentication.
        var transactions: [TransactionID: String] = [:]
        /// The last transaction; nil if no further ones can follow.
        var end: String?
    }

    /// In the order of the transactions.
    func awaited(after transaction: String, limit: Int) throws(StoreFailure) -> Awaited {
        let values: [SQLValue] = [.text(transaction), .integer(Int64(limit))]
        let rows = try connection.rows(.awaited, values)
        var awaited = Awaited()
        for row in rows {
            // A text that no ACS writes would be refused by the verifier, with all others.
            guard let transaction = TransactionID(try row.text(.awaited)) else { continue }
            awaited.transactions[transaction] = try row.text(.id)
        }
        if rows.count == limit { awaited.end = try rows.last?.text(.awaited) }
        return awaited
    }

    /// Challenges for which the verifier must be called, the oldest first.
    func callsDue(
        at times: DueTimes,
        after cursor: DueCursor,
        limit: Int
    ) throws(StoreFailure) -> DueRows<Authentication> {
        let rows = try connection.dueRows(.callsDue, times, after: cursor, limit: limit)
        return try authentications(rows, limit, by: .callDue)
    }

    /// Challenges whose clock must be read, the oldest first.
    func due(
        at now: Timestamp,
        after cursor: DueCursor,
        limit: Int
    ) throws(StoreFailure) -> DueRows<Authentication> {
        let rows = try connection.dueRows(.due, .ofClocks(at: now), after: cursor, limit: limit)
        return try authentications(rows, limit, by: .due)
    }

    /// Challenges whose RReq must be sent, the oldest first.
    func resultsDue(
        at now: Timestamp,
        after cursor: DueCursor,
        limit: Int
    ) throws(StoreFailure) -> DueRows<Authentication> {
        let times = DueTimes.ofResults(at: now)
        let rows = try connection.dueRows(.resultsDue, times, after: cursor, limit: limit)
        return try authentications(rows, limit, by: .resultDue)
    }

    private func authentications(
        _ rows: [Row],
        _ limit: Int,
        by time: Column
    ) throws(StoreFailure) -> DueRows<Authentication> {
        try DueRows(rows, limit: limit, by: time, .id) { row throws(StoreFailure) in
            try authentication(row)
        }
    }

    /// The challenges of all authentications, in the order of their identifiers.
    func challenges(after id: SQLValue?, limit: Int) throws(StoreFailure) -> RowPage<ChallengeView>
    {
        let rows = try connection.rows(.all, after: id.map { [$0] }, limit: limit)
        return try RowPage(rows, "authentication", by: .id, under: seal, on: connection) {
            row throws(StoreFailure) in
            ChallengeView(try authentication(row))
        }
    }

    /// The states of all authentications, in the order of their identifiers.
    func states(after id: SQLValue?, limit: Int) throws(StoreFailure) -> RecordedStates.Page {
        let rows = try connection.rows(.states, after: id.map { [$0] }, limit: limit)
        return try RecordedStates.Page(
            rows,
            by: .id,
            of: { .authentication($0) },
            under: seal,
            on: connection
        ) { row throws(StoreFailure) in
            try state(row)
        }
    }

    func state(of id: String) throws(StoreFailure) -> RecordedStates.State {
        guard let row = try connection.rows(.state, [.text(id)]).first else { return [] }
        return try state(row)
    }

    /// A row without its ARes is not the row that an ACS wrote.
    private func state(_ row: Row) throws(StoreFailure) -> RecordedStates.State {
        let authentication = try authentication(row)
        return try row.integer(.hasResponse) == 1 ? authentication.recordedState : []
    }

    /// All authentications, the newest first, each with its place.
    func newest(
        before cursor: ChallengeCursor,
        limit: Int
    ) throws(StoreFailure) -> [(
        place: ChallengeCursor, content: Result<Authentication, UnreadableRow>
    )] {
        let place: [SQLValue] = [.integer(cursor.made), .text(cursor.id)]
        let rows = try connection.rows(.newest, place + [.integer(Int64(limit))])
        var found: [(place: ChallengeCursor, content: Result<Authentication, UnreadableRow>)] = []
        for row in rows {
            let place = ChallengeCursor(made: try row.integer(.made), id: try row.text(.id))
            do throws(StoreFailure) {
                found.append((place, .success(try authentication(row))))
            } catch {
                let name = "authentication \(place.id)"
                let row = try seal.unreadable(name, after: error, on: connection)
                found.append((place, .failure(row)))
            }
        }
        return found
    }

    /// The challenges without a result, of this card and of all; `known` is the count of all, if it is known.
    func liveChallenges(
        of card: CardReference,
        ofACS known: Int? = nil
    ) throws(StoreFailure) -> LiveChallenges {
        let ofACS = if let known { known } else { try count(.liveOfAll, []) }
        return LiveChallenges(ofCard: try count(.liveOfCard, [.text(card.text)]), ofACS: ofACS)
    }

    private func count(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int {
        guard let row = try connection.rows(statement, values).first else { throw .misuse }
        return Int(try row.integer(.count))
    }

    private func first(_ rows: [Row]) throws(StoreFailure) -> Authentication? {
        guard let row = rows.first else { return nil }
        return try authentication(row)
    }
}

// MARK: Rows

extension AuthenticationTable {
    private func authentication(_ row: Row) throws(StoreFailure) -> Authentication {
        try authentication(row, boundTo: row[Self.boundColumns])
    }

    private func authentication(
        _ row: Row,
        boundTo columns: [SQLValue]
    ) throws(StoreFailure) -> Authentication {
        let id = try row.text(.id)
        let identity = RowIdentity.authentication(id, columns)
        let content = try seal.content(row[.sealed], of: identity)
        let made = try row.timestamp(.made)
        let directoryID = try row.text(.directoryID)
        do throws(FieldReader.Failure) {
            return try Authentication(
                encoded: content,
                id: id,
                directoryID: directoryID,
                made: made
            )
        } catch {
            throw .damaged
        }
    }

    /// The columns to which the content is bound, apart from the identifier.
    static let boundColumns: [Column] = [
        .directoryID, .made, .page, .awaited, .due, .resultDue, .live, .callDue,
    ]
}

extension Statement {
    private static let table = Table.authentications
    private static let columns = table.columns

    fileprivate static let addAuthentication = Statement(
        "INSERT INTO authentications \(insert: table.columns) ON CONFLICT DO NOTHING"
    )
    fileprivate static let replaceAuthentication = Statement(
        """
        UPDATE authentications \
        SET \(set: [.page, .awaited, .due, .resultDue, .live, .callDue, .sealed]) \
        WHERE \(match: [.id])
        """
    )
    fileprivate static let replaceUnchanged = Statement(
        """
        UPDATE authentications \
        SET \(set: [.page, .awaited, .due, .resultDue, .live, .callDue, .sealed]) \
        WHERE \(match: [.id]) AND sealed = \(valueOf: .formerContent)
        """
    )
    fileprivate static let replaceDue = Statement(
        """
        UPDATE authentications SET \(set: [.due, .sealed]) \
        WHERE \(match: [.id]) AND sealed = \(valueOf: .formerContent)
        """
    )
    fileprivate static let replaceContent = Statement(
        """
        UPDATE authentications SET \(set: [.sealed]) \
        WHERE \(match: [.id]) AND sealed = \(valueOf: .formerContent)
        """
    )
    fileprivate static let eraseChannelKey = Statement(
        "UPDATE authentications SET sealed_key = NULL WHERE \(match: [.id])"
    )
    fileprivate static let response = Statement(
        "SELECT \([Column.sealed]) FROM responses WHERE \(match: [.authentication])"
    )
    fileprivate static let authentication = Statement(
        "SELECT \(columns) FROM authentications WHERE \(match: [.id])"
    )
    fileprivate static let authenticationOfDirectory = Statement(
        "SELECT \(columns) FROM authentications WHERE \(match: [.directoryID])"
    )
    fileprivate static let authenticationOfPage = Statement(
        "SELECT \(columns) FROM authentications WHERE \(match: [.page])"
    )
    fileprivate static let awaited = Statement(
        """
        SELECT \([Column.awaited, .id]) FROM authentications \
        WHERE awaited > $1 ORDER BY awaited LIMIT $2
        """
    )
    fileprivate static let callsDue = Statement(
        """
        SELECT \(columns) FROM authentications \
        WHERE call_due <= $1 AND (call_due, id) > ($2, $3) ORDER BY call_due, id LIMIT $4
        """
    )
    fileprivate static let due = Statement(
        """
        SELECT \(columns) FROM authentications \
        WHERE due <= $1 AND (due, id) > ($2, $3) AND made >= $5 ORDER BY due, id LIMIT $4
        """
    )
    fileprivate static let resultsDue = Statement(
        """
        SELECT \(columns) FROM authentications \
        WHERE result_due <= $1 AND (result_due, id) > ($2, $3) ORDER BY result_due, id LIMIT $4
        """
    )
    fileprivate static let liveOfCard = Statement(
        "SELECT \(.count, from: "COUNT(*)") FROM authentications WHERE \(match: [.live])"
    )
    fileprivate static let liveOfAll = Statement(
        "SELECT \(.count, from: "COUNT(*)") FROM authentications WHERE live IS NOT NULL"
    )
    /// Without the ARes itself.
    fileprivate static let hasResponse: StaticString = """
        CAST(CASE WHEN EXISTS (SELECT 1 FROM responses WHERE authentication = id) \
        THEN 1 ELSE 0 END AS BIGINT)
        """
    fileprivate static let state = Statement(
        """
        SELECT \(columns), \(.hasResponse, from: hasResponse) FROM authentications \
        WHERE \(match: [.id])
        """
    )
    fileprivate static let newest = Statement(
        """
        SELECT \(columns) FROM authentications \
        WHERE (made, id) < ($1, $2) ORDER BY made DESC, id DESC LIMIT $3
        """
    )
}

extension PagedStatement {
    private static let columns = Table.authentications.columns

    fileprivate static let all = PagedStatement("SELECT \(columns) FROM authentications", by: [.id])
    fileprivate static let states = PagedStatement(
        """
        SELECT \(columns), \(.hasResponse, from: Statement.hasResponse) FROM authentications
        """,
        by: [.id]
    )
}
