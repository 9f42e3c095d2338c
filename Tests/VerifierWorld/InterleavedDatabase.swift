package import Storage
package import Verification

/// A store that runs another operation before each write, after the operation's reads.
struct InterleavedDatabase: Database {
    let store: any Database
    let other: @Sendable () async throws -> Void

    func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        do { try await other() } catch { throw .unavailable }
        return try await store.write(reading: queries, work)
    }

    func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, work)
    }

    func close() async { await store.close() }
}

extension Database {
    /// The same store over a network that delays each write by up to 200 ms.
    package func withDelayedWrites() -> any Database {
        InterleavedDatabase(store: self) {
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
        InterleavedDatabase(store: database, other: other)
    }
}
