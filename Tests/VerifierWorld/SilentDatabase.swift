package import Storage
import Verification

/// A store whose responses are lost after the commit, as if the server or the connection failed.
package struct SilentDatabase: Database {
    private let store: any Database

    package init(store: any Database) { self.store = store }

    package func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        _ = try await store.write(reading: queries, work)
        throw .uncertain
    }

    package func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, work)
    }

    package func close() async { await store.close() }
}
