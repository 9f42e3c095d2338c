import Storage
import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@Suite(.needsPostgres) struct `Closing a PostgreSQL store` {
    @Test func `ends its sessions before their connections`() async throws {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        for _ in 0..<20 {
            let store = try PostgresDatabase(database, migrations: tallyMigrations)
            _ = try await store.read(Tally.counts)
            await store.close()
        }
        let name = database.split(separator: "=").last ?? ""
        // Each counted session has a line about a lost connection in the log of the server.
        let statement = """
            SELECT numbackends, sessions_abandoned + sessions_fatal FROM pg_stat_database \
            WHERE datname = '\(name)'
            """
        try await waitUntil { try server.query(statement).hasPrefix("0|") }
        #expect(try server.query(statement) == "0|0")
    }
}
