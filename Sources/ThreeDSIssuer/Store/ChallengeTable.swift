package import Storage

/// Reads the challenges of a store, for operators.
package struct ChallengeTable {
    let table: AuthenticationTable

    package func challenge(_ id: String) throws(StoreFailure) -> ChallengeView? {
        try table.authentication(id).flatMap { ChallengeView($0) }
    }

    /// Reads up to `limit` authentications, some of which have no challenge.
    package func challenges(
        after id: SQLValue,
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
    ) throws(StoreFailure) -> (challenges: [ChallengeView], next: ChallengeCursor?) {
        let rows = try table.newest(before: cursor, limit: Self.readRows)
        var found: [ChallengeView] = []
        for row in rows {
            guard let challenge = ChallengeView(row), isWanted(challenge) else { continue }
            found.append(challenge)
            guard found.count < limit else { return (found, ChallengeCursor(after: row)) }
        }
        guard rows.count == Self.readRows, let last = rows.last else { return (found, nil) }
        return (found, ChallengeCursor(after: last))
    }

    private static let readRows = 1000
}
