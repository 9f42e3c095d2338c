import Foundation
import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

private let migrations = [
    Migration { "CREATE TABLE a (id \($0.integer) PRIMARY KEY) \($0.tableOptions);" },
    Migration { _ in "INSERT INTO a (id) VALUES (1); INSERT INTO a (id) VALUES (2);" },
    Migration { _ in "ALTER TABLE a ADD COLUMN name TEXT NOT NULL DEFAULT 'none';" },
    Migration { _ in "UPDATE a SET name = 'second' WHERE id = 2;" },
]

extension Statement {
    fileprivate static let all = Statement("SELECT id, name FROM a ORDER BY id")
    fileprivate static let count = Statement("SELECT count(*) FROM a")
}

@Suite struct `Migrations` {
    @Test(arguments: 0...migrations.count, StoreKind.installed)
    func `update each version to the latest`(_ version: Int, _ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: Array(migrations.prefix(version)))
        if version < migrations.count {
            // Without permission to migrate, the tables stay usable for the earlier program.
            #expect(throws: StoreFailure.older(version: version)) {
                try store.open(migrations: migrations, migrates: false)
            }
            await (try store.open(migrations: Array(migrations.prefix(version)))).close()
        }
        let database = try store.open(migrations: migrations)
        let rows = try await database.read { connection throws(StoreFailure) in
            try connection.rows(.all, [])
        }
        #expect(
            rows == [
                Row([.integer(1), .text("none")]),
                Row([.integer(2), .text("second")]),
            ]
        )
        await database.close()
        // No migration runs again.
        await (try store.open(migrations: migrations)).close()
        #expect(throws: StoreFailure.newer(version: 4)) {
            try store.open(migrations: Array(migrations.prefix(3)))
        }
    }

    @Test(.needsPostgres)
    func `on PostgreSQL leave the earlier version if they are killed`()
        async throws
    {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let program = try RunningProgram("migrate", database, "2000000")
        let name = database.split(separator: "=").last.map(String.init) ?? ""
        let isUnderWay = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = '\(name)' AND state = 'active' AND query LIKE '%RECURSIVE%'
            """
        try spinUntil { try !program.isRunning || server.query(isUnderWay) == "1" }
        #expect(try program.kill().isEmpty)
        // The server continues until it notices the lost client; the next program waits for it.
        let opened = try PostgresDatabase(database, migrations: tallyMigrations)
        #expect(try await opened.read(Tally.counts) == [:])
        await opened.close()
        let migrations = longMigrations(rowCount: 10)
        await (try PostgresDatabase(database, migrations: migrations)).close()
        #expect(try server.query("SELECT count(*) FROM long", in: name) == "10")
    }
}

@Suite struct `Migrations of a SQLite store` {
    @Test func `leave the earlier version and its data if they fail`() async throws {
        let store = try TemporaryStore(migrations: Array(migrations.prefix(2)))
        let bad = Migration { _ in "DELETE FROM a; INSERT INTO a (id) VALUES (7), (7);" }
        let failing = migrations.prefix(2) + [bad]
        #expect(await failure(opening: store.path, migrations: Array(failing)) == .conflict)
        #expect(try sqlite3(store.path, "PRAGMA user_version; SELECT id FROM a") == "2\n1\n2")
    }

    @Test func `leave the earlier version if they are killed, and can run again`() async throws {
        let store = try TemporaryStore()
        let program = try RunningProgram("migrate", store.path, "50000000")
        // SQLite writes changes that exceed its cache to the log before the commit.
        try await waitUntil {
            !program.isRunning || store.byteCount(of: "store.db-wal") >= 1 << 20
        }
        #expect(try program.kill().isEmpty)
        #expect(await failure(opening: store.path) == nil)
        let migrations = longMigrations(rowCount: 10)
        #expect(await failure(opening: store.path, migrations: migrations) == nil)
        #expect(try sqlite3(store.path, "SELECT count(*) FROM long") == "10")
    }

    @Test func `run once if two processes start them`() async throws {
        let store = try TemporaryStore()
        let programs = try (0..<2).map { _ in try RunningProgram("migrate", store.path, "20000") }
        for program in programs { #expect(try program.remainingOutput().isEmpty) }
        #expect(try sqlite3(store.path, "SELECT count(*) FROM long") == "20000")
    }

    @Test func `by a later program make the jobs of an earlier program fail`() async throws {
        let store = try TemporaryStore()
        let database = try store.open()
        let later = try store.open(migrations: tallyMigrations + [Migration { _ in "" }])
        await #expect(throws: StoreFailure.newer(version: 2)) {
            try await database.write { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
        }
        await #expect(throws: StoreFailure.newer(version: 2)) {
            try await database.read(Tally.counts)
        }
        #expect(try await later.read(Tally.counts) == [:])
        await later.close()
        await database.close()
    }
}

/// A released migration never changes, because existing stores have run it.
@Suite struct `The schema of a released version` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Schemas").path

    /// Before a release, `PIN_SCHEMA=1 swift test --filter MigrationTests` writes its schema.
    @Test(arguments: EarlierStore.first...Schema.migrations.count, ["sqlite", "postgresql"])
    func `is unchanged`(_ version: Int, _ engine: String) throws {
        let dialect = engine == "sqlite" ? SQLDialect.sqlite : .postgreSQL
        let statements = Schema.migrations[version - 1].statements(dialect) + "\n"
        let path = Self.folder + "/version-\(version).\(engine).sql"
        if ProcessInfo.processInfo.environment["PIN_SCHEMA"] != nil {
            try statements.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == statements)
    }

    @Test func `has one file for each version and engine`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(files.count == 2 * (Schema.migrations.count - EarlierStore.first + 1))
    }
}

@Suite struct `The contents that tests compare` {
    @Test func `include every table of the schema`() async throws {
        let schema = Schema.migrations.map { $0.statements(.sqlite) }.joined()
        // A later version may create a table again.
        let tables = Set(schema.matches(of: /CREATE TABLE (\w+)/).map(\.1))
        #expect(tables.count > 10)
        #expect(try await Bank().contents().count == tables.count)
    }
}
