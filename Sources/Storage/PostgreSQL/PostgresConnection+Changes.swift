import CPostgres

/// The requirement for a result that is read later.
enum ExpectedResult {
    /// Nil if the number does not matter.
    case rowCount(Int?)
    /// The version of the tables.
    case version(Int)
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
        var known: Set<Query> = []
        // All results are read together.
        let queries = queries.filter { $0.statement.table != nil && known.insert($0).inserted }
            .prefix(Self.maximumUnread - unreadResults.count)
        guard !queries.isEmpty else { return }
        // All are prepared before one is sent, because the server responds to a preparation.
        let prepared = try queries.map { query throws(PostgresFailure) in
            try prepare(query.statement, query.values)
        }
        for statement in prepared { try send(statement, expecting: .rowCount(nil)) }
        let results = try resultsOfPipeline(unreadResults.count)
        guard results.count >= queries.count else { throw .lost }
        for (query, result) in zip(queries, results.suffix(queries.count)) {
            if let table = query.statement.table {
                prefetched.add(result, of: query, on: table)
            }
        }
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
        for (place, result) in results.enumerated() {
            // After a failure, the server skips all that follows.
            if let failure = result.failure { throw failure }
            if place < expected.count { try check(result, is: expected[place]) }
        }
        return results
    }

    private func check(
        _ result: PostgresResult,
        is expected: ExpectedResult
    ) throws(PostgresFailure) {
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
