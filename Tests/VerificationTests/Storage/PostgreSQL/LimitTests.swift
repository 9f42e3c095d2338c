import Glibc
import StoreProgram
import TestSupport
import Testing

@testable import Storage
@testable import Verification

extension Statement {
    fileprivate static let sleep = Statement("SELECT count(*) FROM pg_sleep(600)")
    fileprivate static let longSleep = Statement("SELECT count(*) FROM pg_sleep(4)")
    fileprivate static let synchronousCommit = Statement(
        "SELECT current_setting('synchronous_commit')"
    )
    fileprivate static let timeouts = Statement(
        """
        SELECT current_setting('statement_timeout'),
            current_setting('idle_in_transaction_session_timeout')
        """
    )
    fileprivate static let preparations = Statement(
        """
        SELECT count(*), CAST(sum(generic_plans + custom_plans) AS bigint)
        FROM pg_prepared_statements WHERE statement = $1
        """
    )
}

@Suite(.needsPostgres) struct `The limits of a PostgreSQL store` {
    private let server: PostgresServer
    private let database: String

    init() throws {
        server = try PostgresServer.shared()
        database = try server.makeDatabase()
    }

    private func open(
        readerCount: Int = 2,
        timeout: Duration = .seconds(30)
    ) throws -> PostgresDatabase {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        return try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            readerCount: readerCount,
            timeout: timeout
        )
    }

    /// The number of the store's sessions on the server that meet `condition`.
    private func sessionCount(where condition: String = "true") throws -> String {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        return try server.query(
            """
            SELECT count(*) FROM pg_stat_activity WHERE datname = '\(name)' AND \(condition)
            """
        )
    }

    @Test func `a statement is prepared once for any number of runs`() async throws {
        let opened = try open(readerCount: 1)
        for _ in 0..<5 {
            _ = try await opened.read { connection throws(StoreFailure) in
                try connection.rows(.synchronousCommit, [])
            }
        }
        let rows = try await opened.read { connection throws(StoreFailure) in
            let text = "\(Statement.synchronousCommit.text)"
            return try connection.rows(.preparations, [.text(text)])
        }
        #expect(rows == [Row([.integer(1), .integer(5)])])
        await opened.close()
    }

    /// An audit reads a file of its own for minutes.
    @Test func `a scan may pause for minutes, and its statements may take as long`() async throws {
        let opened = try open(readerCount: 1)
        let settings: Job<[[SQLValue]]> = { connection throws(StoreFailure) in
            try connection.rows(.timeouts, []).map(\.values)
        }
        let ofRead: [[SQLValue]] = [[.text("1min"), .text("30s")]]
        #expect(try await opened.read(settings) == ofRead)
        let ofScan: [[SQLValue]] = [[.text("5min"), .text("5min")]]
        #expect(try await opened.scan(settings) == ofScan)
        #expect(try await opened.read(settings) == ofRead)
        #expect(try await opened.rewrite(settings) == ofScan)
        #expect(try await opened.write(settings) == ofRead)
        await opened.close()
    }

    @Test func `a scan runs a statement longer than the timeout of others`() async throws {
        let opened = try open(timeout: .seconds(1))
        let isSlept = try await opened.scan { connection throws(StoreFailure) in
            try connection.rows(.longSleep, []).count == 1
        }
        #expect(isSlept)
        let isWritten = try await opened.rewrite { connection throws(StoreFailure) in
            _ = try Tally.increment(1, on: connection)
            return try connection.rows(.longSleep, []).count == 1
        }
        #expect(isWritten)
        #expect(try await opened.read(Tally.counts) == [1: 1])
        await opened.close()
    }

    @Test func `a statement that exceeds the timeout fails, and its job changes nothing`()
        async throws
    {
        let opened = try open(timeout: .seconds(1))
        let runs = RunCount()
        await #expect(throws: StoreFailure.unavailable) {
            try await opened.write { connection throws(StoreFailure) in
                runs.increment()
                _ = try Tally.increment(1, on: connection)
                return try connection.rows(.sleep, [])
            }
        }
        // The server itself ended the statement, so no session is still running it.
        #expect(runs.value == 1)
        #expect(try sessionCount(where: "state = 'active'") == "0")
        #expect(try await opened.read(Tally.counts) == [:])
        await opened.close()
    }

    /// A server can be configured to acknowledge a commit before it is on the disk.
    @Test func `a commit waits for the disk, even if the server's default does not`() async throws {
        let opened = try open()
        await opened.close()
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        _ = try server.query("ALTER DATABASE \(name) SET synchronous_commit = off")
        #expect(try server.query("SHOW synchronous_commit", in: name) == "off")
        let again = try PostgresDatabase(database, migrations: tallyMigrations)
        let setting = try await again.write { connection throws(StoreFailure) in
            try connection.rows(.synchronousCommit, []).map(\.values)
        }
        #expect(setting == [[.text("on")]])
        await again.close()
    }

    @Test(.timeLimit(.minutes(5)))
    func `connecting to a host that never responds ends after a short timeout`()
        async throws
    {
        let listener = try LoopbackSocket(.listening)
        let hosts =
            database.replacing("host=\(server.folder)", with: "")
            + " host=127.0.0.1,\(server.folder) port=\(listener.port),5432"
        let clock = ContinuousClock()
        let time = try clock.measure {
            try PostgresDatabase.create(hosts, migrations: tallyMigrations)
        }
        #expect((.seconds(4)...(.seconds(60))).contains(time))
        withExtendedLifetime(listener) {}
    }

    @Test func `256 callers share three sessions`() async throws {
        let opened = try open()
        let points = (0..<3).map { _ in StopPoint() }
        async let held: Void = opened.write { _ in points[0].stop() }
        async let read: Void = opened.scan { _ in points[1].stop() }
        async let alsoRead: Void = opened.scan { _ in points[2].stop() }
        for point in points { await point.waitUntilReached() }
        let callers = Task {
            try await withThrowingTaskGroup { group in
                for caller in 0..<256 {
                    group.addTask {
                        guard caller.isMultiple(of: 2) else {
                            _ = try await opened.read(Tally.counts)
                            return
                        }
                        _ = try await opened.write { connection throws(StoreFailure) in
                            try Tally.increment(1, on: connection)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try sessionCount() == "3")
        for point in points { point.resume() }
        try await callers.value
        _ = try await (held, read, alsoRead)
        #expect(try sessionCount() == "3")
        #expect(try await opened.read(Tally.counts) == [1: 128])
        await opened.close()
        #expect(try sessionCount() == "0")
    }
}
