import PrivateFiles
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

extension Statement {
    fileprivate static let insert = Statement("INSERT INTO tally (caller, count) VALUES ($1, $2)")
}

/// A change at the end of a group, and an action right after it was sent.
private final class LastChange: SharedData {
    private let afterwards: () -> Void

    init(_ afterwards: @escaping () -> Void) {
        self.afterwards = afterwards
    }

    func write(on connection: any SQLConnection) throws(StoreFailure) {
        try connection.change(.insert, [.integer(1), .integer(1)], rowCount: 1)
        afterwards()
    }

    func undoJob() {}

    func isCommitted(on connection: any SQLConnection) -> Bool { true }

    func committed() {}
}

private final class CountedCommit: SharedData {
    private let commits: RunCount
    private let isProven: Bool

    init(_ commits: RunCount, isProven: Bool = true) {
        self.commits = commits
        self.isProven = isProven
    }

    func write(on connection: any SQLConnection) {}

    func undoJob() {}

    func isCommitted(on connection: any SQLConnection) -> Bool { isProven }

    func committed() { commits.increment() }
}

@Suite(.needsPostgres) struct `A lost connection` {
    private let server: PostgresServer
    private let database: String

    init() throws {
        server = try PostgresServer.shared()
        database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
    }

    /// Opens the store through a relay that cuts `COMMIT`s.
    private func open(
        timeout: Duration = .seconds(30),
        cut: @escaping @Sendable (Int) -> CuttingRelay.Cut?,
        afterCommit: @escaping @Sendable () -> Void = {}
    ) throws -> (PostgresDatabase, CuttingRelay) {
        let relay = try CuttingRelay(to: server, cut: cut, afterCommit: afterCommit)
        let opened = try PostgresDatabase(
            relay.address(of: database),
            migrations: tallyMigrations,
            timeout: timeout
        )
        return (opened, relay)
    }

    private func psql(_ statement: String) throws -> String {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        return try server.query(statement, in: name)
    }

    private func counts() throws -> String { try psql("SELECT caller, count FROM tally") }

    /// Ends all sessions of the database; the result does not matter.
    private var endOfSessions: @Sendable () -> Void {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        return { [server] in
            _ = try? server.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    + "WHERE datname = '\(name)' AND pid <> pg_backend_pid()"
            )
        }
    }

    /// The first commit registers the writer, and the second belongs to its first job.
    @Test(
        arguments: [
            (1, CuttingRelay.Cut.beforeServer, 1), (1, .afterServer, 1), (1, .duringCommit, 1),
            (2, .beforeServer, 2), (2, .afterServer, 1), (2, .duringCommit, 1),
        ]
    )
    func `during a commit is resolved, and the job takes effect once`(
        _ commit: Int,
        _ cut: CuttingRelay.Cut,
        _ expectedRuns: Int
    ) async throws {
        let (opened, relay) = try open { number in number == commit ? cut : nil }
        let (runs, commits) = (RunCount(), RunCount())
        let count = try await opened.write { connection throws(StoreFailure) in
            runs.increment()
            connection.shared = CountedCommit(commits)
            return try Tally.increment(1, on: connection)
        }
        #expect(count == 1)
        #expect(try counts() == "1|1")
        #expect(runs.value == expectedRuns)
        #expect(commits.value == 1)
        await opened.close()
        relay.close()
    }

    @Test(arguments: [CuttingRelay.Cut.beforeServer, .afterServer])
    func `during a commit that cannot be restored is reported as uncertain`(
        _ cut: CuttingRelay.Cut
    ) async throws {
        let (opened, relay) = try open(timeout: .seconds(5)) { $0 > 1 ? cut : nil }
        await #expect(throws: StoreFailure.uncertain) {
            try await opened.write { connection throws(StoreFailure) in
                relay.close()
                return try Tally.increment(1, on: connection)
            }
        }
        #expect(try counts() == (cut == .afterServer ? "1|1" : ""))
        await opened.close()
    }

    /// Ten groups for the writer or the two readers; their timeouts are one timeout.
    @Test(arguments: [false, true])
    func `fails all waiting jobs after one timeout`(ofWriter: Bool) async throws {
        let (opened, relay) = try open(timeout: .seconds(4)) { _ in nil }
        var group = JobGroup<[Int64: Int64]>()
        for _ in 0..<640 { group.add(Tally.counts) }
        let begin = ContinuousClock.now
        let cut = { [endOfSessions] in
            relay.close()
            endOfSessions()
        }
        let outcomes =
            ofWriter
            ? try await group.outcomes(in: opened, whenStarted: cut)
            : await group.outcomesOfReads(in: opened, whenStarted: cut)
        #expect(outcomes.count == 640)
        for outcome in outcomes {
            #expect(throws: StoreFailure.unavailable) { try outcome.get() }
        }
        #expect(ContinuousClock.now - begin < .seconds(15))
        await opened.close()
    }

    @Test func `is uncertain if the data of the jobs contradicts the marker of their commit`()
        async throws
    {
        let (opened, relay) = try open { $0 == 2 ? .afterServer : nil }
        let commits = RunCount()
        await #expect(throws: StoreFailure.uncertain) {
            try await opened.write { connection throws(StoreFailure) in
                connection.shared = CountedCommit(commits, isProven: false)
                return try Tally.increment(1, on: connection)
            }
        }
        #expect(commits.value == 0)
        await opened.close()
        relay.close()
    }

    @Test func `without a response times out, and the job takes effect once`() async throws {
        let (opened, relay) = try open(timeout: .seconds(5)) { $0 == 2 ? .silence : nil }
        let count = try await opened.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        #expect(count == 1)
        #expect(try counts() == "1|1")
        await opened.close()
        relay.close()
    }

    @Test func `before a commit that cannot be restored changes nothing`() async throws {
        let (opened, relay) = try open(timeout: .seconds(1)) { _ in nil }
        let end = endOfSessions
        await #expect(throws: StoreFailure.unavailable) {
            try await opened.write { connection throws(StoreFailure) in
                _ = try Tally.increment(1, on: connection)
                relay.close()
                end()
                return try Tally.increment(1, on: connection)
            }
        }
        #expect(try counts() == "")
        await opened.close()
    }

    /// The result of the last change was not read when the connection was lost.
    @Test func `after the last change of a group leaves nothing behind`() async throws {
        let (opened, relay) = try open(timeout: .seconds(1)) { _ in nil }
        let end = endOfSessions
        await #expect(throws: StoreFailure.unavailable) {
            try await opened.write { connection throws(StoreFailure) in
                connection.shared = LastChange {
                    relay.close()
                    end()
                }
            }
        }
        #expect(try counts() == "")
        await opened.close()
    }

    @Test func `between changes repeats the job, which takes effect once`() async throws {
        let (opened, relay) = try open { _ in nil }
        let (runs, end) = (RunCount(), endOfSessions)
        try await opened.write { connection throws(StoreFailure) in
            try connection.change(.insert, [.integer(1), .integer(1)], rowCount: 1)
            if runs.increment() == 1 { end() }
            try connection.change(.insert, [.integer(2), .integer(1)], rowCount: 1)
        }
        #expect(runs.value == 2)
        #expect(try counts() == "1|1\n2|1")
        await opened.close()
        relay.close()
    }

    @Test func `is uncertain, and the job runs once, if the result of the commit was deleted`()
        async throws
    {
        let test = self
        let (opened, relay) = try open {
            $0 == 2 ? .afterServer : nil
        } afterCommit: {
            #expect(throws: Never.self) { try test.psql("DELETE FROM countersign_commits") }
        }
        let runs = RunCount()
        await #expect(throws: StoreFailure.uncertain) {
            try await opened.write { connection throws(StoreFailure) in
                runs.increment()
                return try Tally.increment(1, on: connection)
            }
        }
        #expect(runs.value == 1)
        #expect(try counts() == "1|1")
        // The writer registers again and continues.
        let count = try await opened.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        #expect(count == 2)
        #expect(try psql("SELECT count(*) FROM countersign_commits") == "1")
        await opened.close()
        relay.close()
    }

    @Test func `of many writers leaves only their newest rows`() async throws {
        _ = try psql(
            """
            INSERT INTO countersign_commits
                SELECT 'killed ' || n, n, 7 FROM generate_series(1, 3000) AS numbers (n)
            """
        )
        let opened = try PostgresDatabase(database, migrations: tallyMigrations)
        for expected in 1...2 as ClosedRange<Int64> {
            let count = try await opened.write { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
            #expect(count == expected)
            #expect(
                try psql("SELECT count(*), min(place), max(place) FROM countersign_commits")
                    == "1000|2002|3001"
            )
        }
        await opened.close()
        #expect(try psql("SELECT count(*) FROM countersign_commits") == "999")
    }

    @Test func `during many commits loses and repeats nothing for 16 callers`() async throws {
        let cuts: [CuttingRelay.Cut?] = [nil, .afterServer, nil, .beforeServer, .duringCommit]
        let (opened, relay) = try open { number in cuts[number % cuts.count] }
        let counts = try await Writers.count(to: 20, in: opened)
        #expect(counts == Array(repeating: Array(1...20), count: 16))
        await opened.close()
        relay.close()
    }
}

@Suite(.needsPostgres) struct `A server that does not respond` {
    /// The attempts to connect take two seconds each, and the groups share them.
    @Test func `fails all waiting jobs, although each attempt to connect takes seconds`()
        async throws
    {
        let server = try PostgresServer(syncs: false)
        let database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let opened = try PostgresDatabase(
            database + " connect_timeout=2",
            migrations: tallyMigrations,
            timeout: .seconds(1)
        )
        var group = JobGroup<[Int64: Int64]>()
        for _ in 0..<1280 { group.add(Tally.counts) }
        let begin = ContinuousClock.now
        let outcomes = await group.outcomesOfReads(in: opened) {
            #expect(throws: Never.self) { try server.pause() }
        }
        for outcome in outcomes {
            #expect(throws: StoreFailure.unavailable) { try outcome.get() }
        }
        #expect(ContinuousClock.now - begin < .seconds(15))
        try server.resume()
        #expect(try await opened.read(Tally.counts) == [:])
        await opened.close()
    }
}

/// Counts events on any thread.
final class RunCount: Sendable {
    private let count = LockedValue(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// 16 callers that each increment their own row without a pause.
enum Writers {
    /// Returns the counts of each caller in order; calls `report` after each.
    static func count(
        to times: Int,
        in database: any Database,
        report: @escaping @Sendable () -> Void = {}
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
                        report()
                    }
                    return counts
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
