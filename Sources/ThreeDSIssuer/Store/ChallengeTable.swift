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
}
