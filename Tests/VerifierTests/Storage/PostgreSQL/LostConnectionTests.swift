import StoreProgram
import Synchronization
import TestSupport
import Testing
import Verifier

@Suite(.needsPostgres) struct `A connection that is lost` {
    private let server: PostgresServer
    private let database: String

    init() throws {
        server = try PostgresServer.shared()
        database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
    }

    /// Opens the store through a relay that cuts `COMMIT`s.
    private func open(
        patience: Duration = .seconds(30),
        cut: @escaping @Sendable (Int) -> CuttingRelay.Cut?
    ) throws -> (PostgresDatabase, CuttingRelay) {
        let relay = try CuttingRelay(to: server, cut: cut)
        let opened = try PostgresDatabase(
            relay.leading(to: database),
            migrations: tallyMigrations,
            patience: patience
        )
        return (opened, relay)
    }

    private func counts() throws -> String {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        return try server.query("SELECT caller, count FROM tally", in: name)
    }

    @Test(arguments: [
        (CuttingRelay.Cut.beforeServer, 2), (.afterServer, 1), (.besideServer, 1),
    ])
    func `during a commit is asked about, and the work is done once`(
        _ cut: CuttingRelay.Cut,
        _ expectedRuns: Int
    ) async throws {
        let (opened, relay) = try open { number in number == 1 ? cut : nil }
        let runs = RunCount()
        let count = try await opened.write { connection throws(StoreFailure) in
            runs.increment()
            return try Tally.increment(1, on: connection)
        }
        #expect(count == 1)
        #expect(try counts() == "1|1")
        #expect(runs.value == expectedRuns)
        await opened.close()
        relay.close()
    }

    @Test(arguments: [CuttingRelay.Cut.beforeServer, .afterServer])
    func `during a commit, for good, leaves the caller uncertain`(
        _ cut: CuttingRelay.Cut
    ) async throws {
        let (opened, relay) = try open(patience: .milliseconds(100)) { _ in cut }
        await #expect(throws: StoreFailure.uncertain) {
            try await opened.write { connection throws(StoreFailure) in
                relay.close()
                return try Tally.increment(1, on: connection)
            }
        }
        #expect(try counts() == (cut == .afterServer ? "1|1" : ""))
        await opened.close()
    }

    @Test func `without a word is given up, and the work is done once`() async throws {
        let (opened, relay) = try open(patience: .seconds(1)) { $0 == 1 ? .silence : nil }
        let count = try await opened.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        #expect(count == 1)
        #expect(try counts() == "1|1")
        await opened.close()
        relay.close()
    }

    @Test func `before a commit, for good, has left nothing`() async throws {
        let (opened, relay) = try open(patience: .milliseconds(100)) { _ in nil }
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        let server = server
        await #expect(throws: StoreFailure.unavailable) {
            try await opened.write { connection throws(StoreFailure) in
                _ = try Tally.increment(1, on: connection)
                relay.close()
                // What it says is of no matter: that the session ends, is.
                _ = try? server.query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        + "WHERE datname = '\(name)' AND pid <> pg_backend_pid()"
                )
                return try Tally.increment(1, on: connection)
            }
        }
        #expect(try counts() == "")
        await opened.close()
    }

    @Test func `again and again loses and doubles nothing for 16 callers`() async throws {
        let cuts: [CuttingRelay.Cut?] = [nil, .afterServer, nil, .beforeServer, .besideServer]
        let (opened, relay) = try open { number in cuts[number % cuts.count] }
        let told = try await Writers.count(to: 20, in: opened)
        #expect(told == Array(repeating: Array(1...20), count: 16))
        await opened.close()
        relay.close()
    }
}

/// How often something happened, on whatever thread.
final class RunCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() { count.withLock { $0 += 1 } }
}

/// 16 callers who count up a row each, as fast as they are told.
enum Writers {
    /// Gives what each of them was told, in order; the callers' rows are 0 to 15.
    static func count(
        to times: Int,
        in database: any Database,
        told: @escaping @Sendable () -> Void = {}
    ) async throws -> [[Int64]] {
        try await withThrowingTaskGroup { group in
            for caller in 0..<16 {
                group.addTask {
                    var counts: [Int64] = []
                    for _ in 0..<times {
                        counts.append(
                            try await database.write { connection throws(StoreFailure) in
                                try Tally.increment(Int64(caller), on: connection)
                            }
                        )
                        told()
                    }
                    return counts
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
