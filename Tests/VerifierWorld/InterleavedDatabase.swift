package import Storage
package import Verification

/// A store that runs another operation before each write, after the operation's reads.
package struct InterleavedDatabase: Database {
    private let store: any Database
    private let other: @Sendable () async throws -> Void

    package init(_ store: any Database, other: @escaping @Sendable () async throws -> Void) {
        self.store = store
        self.other = other
    }

    package func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        do { try await other() } catch { throw .unavailable }
        return try await store.write(reading: queries, work)
    }

    package func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, work)
    }

    package func close() async { await store.close() }
}

extension Database {
    /// The same store over a network that delays each write by up to 200 ms.
    package func withDelayedWrites() -> any Database {
        InterleavedDatabase(self) {
            try await Task.sleep(for: .milliseconds(.random(in: 0...200)))
        }
    }
}

extension Bank {
    /// The same verifier, which runs `other` between an operation's read and its write.
    package func verifier(interleaving other: @escaping @Sendable () async throws -> Void)
        -> Verifier
    {
        verifier(over: interleaved(other))
    }

    package func interleaved(_ other: @escaping @Sendable () async throws -> Void) -> any Database {
        InterleavedDatabase(database, other: other)
    }
}
