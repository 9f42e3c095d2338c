package import Storage

/// A store that runs each writing job again after a failure, as if another job of its commit failed.
package struct RerunningDatabase: Database {
    private let store: any Database

    package init(store: any Database) { self.store = store }

    package func write<Outcome: Sendable>(
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        // `try?`: the failure is intended.
        _ = try? await store.write(reading: queries) { connection throws(StoreFailure) -> Outcome in
            _ = try job(connection)
            throw .unavailable
        }
        return try await store.write(reading: queries, job)
    }

    package func read<Outcome: Sendable>(
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, job)
    }

    package func close() async { await store.close() }
}
