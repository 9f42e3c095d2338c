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
}
