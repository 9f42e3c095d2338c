/// A store that threads of its own work on.
package protocol ThreadedDatabase: Database {
    var lines: WorkLines { get }
}

/// What waits for the threads of a store, which end with the last who holds this.
package final class WorkLines: Sendable {
    let writing = WorkLine()
    let reading = WorkLine()

    deinit {
        writing.refuse()
        reading.refuse()
    }
}

extension ThreadedDatabase {
    package func write<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await lines.writing.outcome(of: work)
    }

    package func read<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await lines.reading.outcome(of: work)
    }

    /// The last connection that closes tidies up after all of them.
    package func close() async {
        await lines.reading.close()
        await lines.writing.close()
    }
}
