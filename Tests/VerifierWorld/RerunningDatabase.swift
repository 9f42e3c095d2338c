package import Storage

/// A store that runs each job that writes twice, as after a failure of another job of its commit.
package struct RerunningDatabase: Database {
    private let store: any Database

    package init(store: any Database) { self.store = store }

    package func write<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        _ = try? await store.write { connection throws(StoreFailure) -> Outcome in
            _ = try job(connection)
            throw .unavailable
        }
        return try await store.write(job)
    }

    package func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(job)
    }

    package func close() async { await store.close() }
}
