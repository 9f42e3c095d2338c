import CPostgres

/// The requirement for a result that is read later.
enum ExpectedResult {
    /// Nil if the number does not matter.
    case rowCount(Int?)
    /// The version of the tables.
    case version(Int)
}

/// A statement before others, with the requirement for its result.
struct SentStatement {
    let statement: Statement
    var values: [SQLValue] = []
    let expected: ExpectedResult
}

/// Changes are sent together, in libpq's pipeline mode, and their results are read together with that
/// of the next statement whose result a job needs. So a server far away delays a job less.
extension PostgresConnection {
    /// For the queries or the changes of a group of 64 jobs.
    ///
    /// libpq sends early, and reads results while it cannot send.
    private static let maximumUnread = 512

    /// Call it before each statement whose result is read later.
    func beginSending() throws(PostgresFailure) {
        if unreadResults.count == Self.maximumUnread { try readResults() }
        try finishRollback()
        if unreadResults.isEmpty { try check(PQenterPipelineMode(handle)) }
    }

    /// Sends these queries together, once each.
    ///
    /// If one fails, here or on the server, the next job fails with this failure.
    func prefetch(_ queries: [Query]) throws(PostgresFailure) {
        let queries = try prepared(queries, after: unreadResults.count)
        guard firstFailure == nil, !queries.isEmpty else { return }
        _ = try prefetch(queries)
    }

    /// Sends statements and queries together, and returns the results of the statements.
    func send(
        _ statements: [SentStatement],
        thenPrefetching queries: [Query]
    ) throws(PostgresFailure) -> [PostgresResult] {
        // All are prepared before one is sent, because the server responds to a preparation.
        let queries = try prepared(queries, after: statements.count)
        let bound = try statements.map { sent throws(PostgresFailure) in
            (try prepare(sent.statement, sent.values), sent.expected)
        }
        for (statement, expected) in bound { try send(statement, expecting: expected) }
        return try prefetch(queries)
    }

    /// Returns the results of the statements that were sent before.
    private func prefetch(_ queries: [PreparedQuery]) throws(PostgresFailure) -> [PostgresResult] {
        let expected = unreadResults
        for query in queries { try send(query.statement, expecting: .rowCount(nil)) }
        let results = try uncheckedResults(unreadResults.count)
        for (result, expected) in zip(results, expected) { try check(result, is: expected) }
        for (query, result) in zip(queries, results.dropFirst(expected.count)) {
            if let failure = result.failure {
                firstFailure = firstFailure ?? failure
                break
            }
            prefetched.add(result, of: query.query, on: query.table)
        }
        return Array(results.prefix(expected.count))
    }

    private typealias PreparedQuery = (query: Query, table: Substring, statement: BoundStatement)

    /// As many as one pipeline can have after `count` other statements.
    private func prepared(
        _ queries: [Query],
        after count: Int
    ) throws(PostgresFailure) -> [PreparedQuery] {
        var known: Set<Query> = []
        var prepared: [PreparedQuery] = []
        for query in queries where prepared.count < Self.maximumUnread - count {
            guard let table = query.statement.table, known.insert(query).inserted else { continue }
            do throws(PostgresFailure) {
                prepared.append((query, table, try prepare(query.statement, query.values)))
            } catch {
                if error.isTransient { throw error }
                firstFailure = error
                break
            }
        }
        return prepared
    }

    /// Waits for all results, and throws the first failure.
    func readResults() throws(PostgresFailure) {
        guard !unreadResults.isEmpty else { return }
        _ = try resultsOfPipeline(unreadResults.count)
    }

    /// The result of the statement that was sent last.
    func resultAfterOthers() throws(PostgresFailure) -> PostgresResult {
        let results = try resultsOfPipeline(unreadResults.count + 1)
        return results[results.count - 1]
    }

    private func resultsOfPipeline(_ count: Int) throws(PostgresFailure) -> [PostgresResult] {
        let expected = unreadResults
        let results = try uncheckedResults(count)
        for (place, result) in results.enumerated() {
            try check(result, is: place < expected.count ? expected[place] : .rowCount(nil))
        }
        return results
    }

    private func uncheckedResults(_ count: Int) throws(PostgresFailure) -> [PostgresResult] {
        unreadResults = []
        try check(PQpipelineSync(handle))
        var results: [PostgresResult] = []
        for _ in 0..<count {
            // Each result is followed by the end of its statement.
            guard let result = try nextResult(), try nextResult() == nil else { throw .lost }
            results.append(result)
        }
        guard try nextResult()?.isEndOfPipeline == true else { throw .lost }
        try check(PQexitPipelineMode(handle))
        return results
    }

    private func check(
        _ result: PostgresResult,
        is expected: ExpectedResult
    ) throws(PostgresFailure) {
        // After a failure, the server skips all that follows.
        if let failure = result.failure { throw failure }
        switch expected {
        case .rowCount(nil): break
        case .rowCount(let count):
            guard result.changedRowCount == count else {
                mayHaveWrongPlans = true
                throw .refused(.conflict)
            }
        case .version(let version):
            // A demoted primary returns stale data.
            guard !isDemoted else { throw .lost }
            try check(result.binaryNumber, version)
        }
    }
}
