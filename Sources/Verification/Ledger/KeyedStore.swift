package import Sealing
package import Storage

/// A store, and the keys for the secrets and tags of its rows.
package struct KeyedStore: Sendable {
    package let database: any Database
    /// Nil for a reader that checks no tag.
    package let keys: KeyRing?

    package typealias Work<Outcome> = @Sendable (Ledger) throws(StoreFailure) -> Outcome

    package init(_ database: any Database, _ keys: KeyRing? = nil) {
        self.database = database
        self.keys = keys
    }

    package func read<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await database.read(job(work))
    }

    /// Reads whole tables.
    package func scan<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await database.scan(job(work))
    }

    package func write<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await database.write(job(work))
    }

    /// Reads and writes whole tables.
    package func rewrite<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await database.rewrite(job(work))
    }

    private func job<Outcome>(_ work: @escaping Work<Outcome>) -> Job<Outcome> {
        { [keys] connection throws(StoreFailure) in try work(Ledger(connection, keys)) }
    }
}
