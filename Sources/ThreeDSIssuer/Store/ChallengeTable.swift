package import Storage

/// Reads the challenges of a store, for operators.
package struct ChallengeTable {
    let table: AuthenticationTable

    package struct Page: Sendable {
        package let challenges: [ChallengeView]
        /// The last authentication that was read; nil at the end of the table.
        package let end: String?
    }

    package func challenge(_ id: String) throws(StoreFailure) -> ChallengeView? {
        try table.authentication(id).flatMap { ChallengeView($0) }
    }

    /// Reads up to `limit` authentications, some of which have no challenge.
    package func challenges(after id: String, limit: Int) throws(StoreFailure) -> Page {
        let all = try table.all(after: id, limit: limit)
        return Page(challenges: all.compactMap { ChallengeView($0) }, end: all.last?.id)
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
