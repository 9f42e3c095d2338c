import CPostgres

/// Changes are sent together, in libpq's pipeline mode, and their results are read together with that
/// of the next statement whose result a job needs. So a server far away delays a job less.
extension PostgresConnection {
    /// libpq keeps up to 64 KiB of unsent statements in memory.
    private static let maximumChanges = 64

    /// Call it before each change is sent.
    func beginChange() throws(PostgresFailure) {
        if unreadChanges.count == Self.maximumChanges { try readChanges() }
        if unreadChanges.isEmpty { try check(PQenterPipelineMode(handle)) }
    }

    /// Waits for the results of all changes, and throws the first failure.
    func readChanges() throws(PostgresFailure) {
        guard !unreadChanges.isEmpty else { return }
        _ = try resultsOfPipeline(unreadChanges.count)
    }

    /// The result of the statement that was sent after the changes.
    func resultAfterChanges() throws(PostgresFailure) -> PostgresResult {
        let results = try resultsOfPipeline(unreadChanges.count + 1)
        return results[results.count - 1]
    }

    private func resultsOfPipeline(_ count: Int) throws(PostgresFailure) -> [PostgresResult] {
        let changes = unreadChanges
        unreadChanges = []
        try check(PQpipelineSync(handle))
        var results: [PostgresResult] = []
        for _ in 0..<count {
            // Each result is followed by the end of its statement.
            guard let result = try nextResult(), try nextResult() == nil else { throw .lost }
            results.append(result)
        }
        guard try nextResult()?.isEndOfPipeline == true else { throw .lost }
        try check(PQexitPipelineMode(handle))
        // After a failure, the server skips all that follows.
        for result in results { if let failure = result.failure { throw failure } }
        for (expected, result) in zip(changes, results) {
            guard expected == nil || expected == result.changedRowCount else {
                throw .refused(.conflict)
            }
        }
        return results
    }
}
