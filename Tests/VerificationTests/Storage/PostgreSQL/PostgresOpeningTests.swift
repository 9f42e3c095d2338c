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

    /// What opening says, if it refuses.
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

    @Test func `takes what was made and nothing else`() async throws {
        #expect(await refusal(database) == .foreign)
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        #expect(await refusal(database) == nil)
        #expect(throws: StoreFailure.exists) {
            try PostgresDatabase.create(database, migrations: tallyMigrations)
        }
    }

    @Test func `making it fails as a whole`() async throws {
        let wrong = Migration { _ in "CREATE TABLE half (id BIGINT); SELECT wrong;" }
        #expect(throws: StoreFailure.misuse) {
            try PostgresDatabase.create(database, migrations: tallyMigrations + [wrong])
        }
        #expect(await refusal(database) == .foreign)
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        #expect(await refusal(database, tallyMigrations + [wrong]) == .misuse)
        #expect(await refusal(database) == nil)
    }

    @Test func `by 8 nodes at once moves the tables on once`() async throws {
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

    @Test func `a later program moved on is refused, then and while it is open`() async throws {
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

    @Test func `closing leaves no trace of who wrote`() async throws {
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
    func `by a connection string with a secret or an error is refused`(
        _ addition: String
    ) async throws {
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let expected: StoreFailure? = addition == "host=" ? .unavailable : .misuse
        #expect(await refusal(database + " " + addition) == expected)
    }

    @Test func `in a database of another encoding is refused`() async throws {
        let server = try PostgresServer.shared()
        _ = try server.query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
        let latin = "host=\(server.folder) user=bank dbname=latin"
        #expect(throws: StoreFailure.foreign) {
            try PostgresDatabase.create(latin, migrations: tallyMigrations)
        }
    }
}
