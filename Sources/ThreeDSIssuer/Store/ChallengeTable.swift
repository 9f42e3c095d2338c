package import Storage

/// Reads the challenges of a store, for operators.
package struct ChallengeTable {
    let table: AuthenticationTable

    package func challenge(_ id: String) throws(StoreFailure) -> ChallengeView? {
        try table.authentication(id).flatMap { ChallengeView($0) }
    }

    /// Reads up to `limit` authentications, some of which have no challenge.
    package func challenges(
        after id: SQLValue?,
        limit: Int
    ) throws(StoreFailure) -> RowPage<ChallengeView> {
        try table.challenges(after: id, limit: limit)
    }

    /// Up to `limit` challenges that match, the newest first.
    ///
    /// The contents of rows are sealed, so each row is read. A call reads up to 1000 rows: it can
    /// return fewer challenges, or none, although more of them follow.
    package func newest(
        before cursor: ChallengeCursor,
        limit: Int,
        matching isWanted: (ChallengeView) -> Bool
    ) throws(StoreFailure) -> Newest {
        let rows = try table.newest(before: cursor, limit: Self.readRows)
        var found = Newest()
        for row in rows {
            let authentication: Authentication
            switch row.content {
            case .success(let read): authentication = read
            case .failure(let row):
                found.unreadable.append(row)
                continue
            }
            guard let challenge = ChallengeView(authentication), isWanted(challenge) else {
                continue
            }
            found.challenges.append(challenge)
            found.next = row.place
            guard found.challenges.count < limit else { return found }
        }
        found.next = rows.count == Self.readRows ? rows.last?.place : nil
        return found
    }

    package struct Newest: Sendable {
        package fileprivate(set) var challenges: [ChallengeView] = []
        package fileprivate(set) var unreadable: [UnreadableRow] = []
        /// Nil if no further challenge follows.
        package fileprivate(set) var next: ChallengeCursor?
    }

    private static let readRows = 1000
}
