import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

@Suite(.needsPostgres) struct `Opening a PostgreSQL store` {
    private let database: String

    init() throws {
        database = try PostgresServer.shared().makeDatabase()
    }

    private func psql(_ statement: String) throws -> String {
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        return try PostgresServer.shared().query(statement, in: name)
    }

    /// Returns the failure to open a store; nil if it opens.
    private func refusal(
        _ connectionString: String,
        _ migrations: [Migration] = tallyMigrations
    ) async -> StoreFailure? {
        do throws(StoreFailure) {
            let opened = try PostgresDatabase(connectionString, migrations: migrations)
            await opened.close()
            return nil
        } catch {
            return error
        }
    }

    private static let another = Migration { dialect in
        "CREATE TABLE another (id \(dialect.integer) PRIMARY KEY) \(dialect.tableOptions);"
    }

    @Test func `works only with a created store`() async throws {
        #expect(await refusal(database) == .foreign)
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        #expect(await refusal(database) == nil)
        #expect(throws: StoreFailure.exists) {
            try PostgresDatabase.create(database, migrations: tallyMigrations)
        }
    }

    @Test func `refuses a negative version`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        _ = try psql("UPDATE countersign_store SET version = -5")
        #expect(await refusal(database) == .damaged)
    }

    @Test func `creating or migrating it changes nothing if a migration fails`() async throws {
        let wrong = Migration { _ in "CREATE TABLE half (id BIGINT); SELECT wrong;" }
        #expect(throws: StoreFailure.misuse) {
            try PostgresDatabase.create(database, migrations: tallyMigrations + [wrong])
        }
        #expect(await refusal(database) == .foreign)
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        #expect(await refusal(database, tallyMigrations + [wrong]) == .misuse)
        #expect(await refusal(database) == nil)
    }

    @Test func `by 8 nodes at the same time migrates the tables once`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let refusals = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { await refusal(database, tallyMigrations + [Self.another]) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals == Array(repeating: nil, count: 8))
        #expect(try psql("SELECT version FROM countersign_store") == "2")
    }

    @Test func `fails if a later program migrated the tables, also for an open store`() async throws
    {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let old = try PostgresDatabase(database, migrations: tallyMigrations)
        #expect(await refusal(database, tallyMigrations + [Self.another]) == nil)
        #expect(await refusal(database) == .newer(version: 2))
        await #expect(throws: StoreFailure.newer(version: 2)) {
            try await old.write { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
        }
        await #expect(throws: StoreFailure.newer(version: 2)) { try await old.read(Tally.counts) }
        await old.close()
    }

    @Test func `without a migration waits for no process that writes`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let writing = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            timeout: .seconds(60)
        )
        let (point, runs) = (StopPoint(), RunCount())
        let job = Task {
            try await writing.write { connection throws(StoreFailure) in
                runs.increment()
                point.stop()
                return try Tally.increment(1, on: connection)
            }
        }
        await point.waitUntilReached()
        let begin = ContinuousClock.now
        let opened = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            migrates: false
        )
        #expect(try await opened.read(Tally.counts) == [:])
        // The server ends the session of the writer after its timeout.
        #expect(ContinuousClock.now - begin < .seconds(50))
        await opened.close()
        point.resume()
        #expect(try await job.value == 1)
        #expect(runs.value == 1)
        await writing.close()
    }

    @Test func `closing it removes the row of its writer`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let opened = try PostgresDatabase(database, migrations: tallyMigrations)
        _ = try await opened.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        #expect(try psql("SELECT count(*) FROM countersign_commits") == "1")
        await opened.close()
        #expect(try psql("SELECT count(*) FROM countersign_commits") == "0")
    }

    @Test(arguments: ["password=4711", "host=", "sslpassword=4711", "nonsense", "a='"])
    func `fails with a secret or an error in the connection string`(
        _ addition: String
    ) async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let expected: StoreFailure? = addition == "host=" ? .unavailable : .malformedAddress
        #expect(await refusal(database + " " + addition) == expected)
    }

    @Test func `reports a table of the same name, but not as an empty database`() async throws {
        _ = try psql("CREATE TABLE countersign_store (id BIGINT)")
        let refusal = try #require(await refusal(database))
        #expect(refusal == .altered(table: "countersign_store"))
        // undefined_column
        #expect(refusal.cause == .sqlState("42703"))
    }

    /// The page "Several nodes" states these numbers.
    @Test func `needs three connections, and one for a store that is only scanned`() async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        func waitForSessions(_ count: Int) async throws {
            let query = """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            try await waitUntil { try psql(query) == "\(count)" }
        }
        let node = try PostgresDatabase(database, migrations: tallyMigrations)
        var group = JobGroup<[Int64: Int64]>()
        for _ in 0..<200 { group.add(Tally.counts) }
        for outcome in await group.outcomesOfReads(in: node) { _ = try outcome.get() }
        for outcome in try await group.outcomes(in: node) { _ = try outcome.get() }
        try await waitForSessions(3)
        let audit = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            migrates: false
        )
        #expect(try await audit.scan(Tally.counts) == [:])
        try await waitForSessions(4)
        await audit.close()
        await node.close()
    }

    @Test func `fails in a database with another encoding`() async throws {
        let server = try PostgresServer.shared()
        _ = try server.query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
        let latin = "host=\(server.folder) user=bank dbname=latin"
        #expect(throws: StoreFailure.foreign) {
            try PostgresDatabase.create(latin, migrations: tallyMigrations)
        }
    }
}
