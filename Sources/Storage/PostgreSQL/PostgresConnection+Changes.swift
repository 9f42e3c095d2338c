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
    func prefetch(_ queries: [Query]) throws(PostgresFailure) {
        let queries = try bound(queries, after: unreadResults.count)
        if !queries.isEmpty { _ = try prefetch(queries) }
    }

    /// The same after statements, whose results it returns.
    func prefetch(
        _ queries: [Query],
        after statements: [SentStatement]
    ) throws(PostgresFailure) -> [PostgresResult] {
        // All are prepared before one is sent, because the server responds to a preparation.
        let queries = try bound(queries, after: statements.count)
        let first = try statements.map { first throws(PostgresFailure) in
            (try prepare(first.statement, first.values), first.expected)
        }
        for (statement, expected) in first { try send(statement, expecting: expected) }
        return try prefetch(queries)
    }

    /// Returns the results of all statements that were sent before.
    private func prefetch(_ queries: [BoundQuery]) throws(PostgresFailure) -> [PostgresResult] {
        let expected = unreadResults
        for query in queries { try send(query.statement, expecting: .rowCount(nil)) }
        let results = try uncheckedResults(unreadResults.count)
        for (result, expected) in zip(results, expected) { try check(result, is: expected) }
        for (query, result) in zip(queries, results.dropFirst(expected.count)) {
            if let failure = result.failure {
                firstFailure = failure
                break
            }
            prefetched.add(result, of: query.query, on: query.table)
        }
        return Array(results.prefix(expected.count))
    }

    private typealias BoundQuery = (query: Query, table: Substring, statement: BoundStatement)

    /// As many as one pipeline can have after `count` other statements.
    ///
    /// If a query fails here or on the server, the next job does.
    private func bound(
        _ queries: [Query],
        after count: Int
    ) throws(PostgresFailure) -> [BoundQuery] {
        var known: Set<Query> = []
        var bound: [BoundQuery] = []
        for query in queries where bound.count < Self.maximumUnread - count {
            guard let table = query.statement.table, known.insert(query).inserted else { continue }
            do throws(PostgresFailure) {
                bound.append((query, table, try prepare(query.statement, query.values)))
            } catch {
                if error.isTransient { throw error }
                firstFailure = error
                break
            }
        }
        return bound
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
            guard result.changedRowCount == count else { throw .refused(.conflict) }
        case .version(let version):
            // A demoted primary returns stale data.
            guard !isDemoted else { throw .lost }
            try check(result.binaryNumber, version)
        }
    }
}
