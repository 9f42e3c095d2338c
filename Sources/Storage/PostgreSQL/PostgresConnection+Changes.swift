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
    /// libpq keeps up to 64 KiB of unsent statements in memory.
    private static let maximumUnread = 64

    /// Call it before each statement whose result is read later.
    func beginSending() throws(PostgresFailure) {
        if unreadResults.count == Self.maximumUnread { try readResults() }
        try finishRollback()
        if unreadResults.isEmpty { try check(PQenterPipelineMode(handle)) }
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
