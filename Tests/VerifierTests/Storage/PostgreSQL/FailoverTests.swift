import StoreProgram
import TestSupport
import Testing
import Verifier

@Suite(.needsPostgres) struct `A failover` {
    /// The standby has what was committed before anybody is told: that is the operator's part.
    private func beginSynchronousReplication(from primary: PostgresServer) throws {
        _ = try primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        _ = try primary.query("SELECT pg_reload_conf()")
        let isSynchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        while try primary.query(isSynchronous) != "1" {}
    }

    @Test func `to a synchronous standby loses and doubles nothing for 16 callers`() async throws {
        let primary = try PostgresServer()
        let database = try primary.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        let standby = try PostgresServer(following: primary)
        try beginSynchronousReplication(from: primary)
        let opened = try PostgresDatabase(
            database.replacing(
                "host=\(primary.folder)",
                with: "host=\(primary.folder),\(standby.folder)"
            ),
            migrations: tallyMigrations,
            patience: .seconds(60)
        )
        let tellings = AsyncStream<Void>.makeStream()
        async let told = Writers.count(to: 50, in: opened) { tellings.continuation.yield() }
        var heard = 0
        for await _ in tellings.stream {
            heard += 1
            if heard == 300 {
                try primary.kill()
                try standby.promote()
            }
            if heard == 16 * 50 { break }
        }
        #expect(try await told == Array(repeating: Array(1...50), count: 16))
        let kept = try await opened.read(Tally.counts)
        #expect(kept.values.allSatisfy { $0 == 50 } && kept.count == 16)
        await opened.close()
    }
}

@Suite(.needsPostgres) struct `A transaction that others were in the way of` {
    private static let hinder = Statement("SELECT hinder($1, $2)")

    /// `hinder` fails its first calls with a state; how often it was called, no rollback undoes.
    private func storeWithHindrance(
        patience: Duration
    ) throws -> (PostgresDatabase, callCount: () throws -> String) {
        let server = try PostgresServer.shared()
        let address = try server.makeDatabase()
        try PostgresDatabase.create(address, migrations: tallyMigrations)
        let function = """
            CREATE SEQUENCE calls;
            CREATE FUNCTION hinder(state TEXT, times BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
            BEGIN
                IF nextval('calls') <= times THEN RAISE EXCEPTION USING ERRCODE = state; END IF;
                RETURN times;
            END $$
            """
        _ = try PostgresServer.psql(["--command=\(function)"], in: address)
        let opened = try PostgresDatabase(address, migrations: tallyMigrations, patience: patience)
        return (
            opened,
            { try PostgresServer.psql(["--command=SELECT last_value FROM calls"], in: address) }
        )
    }

    @Test(arguments: ["40001", "40P01"])
    func `is run again until it succeeds, and counts once`(_ state: String) async throws {
        let (opened, callCount) = try storeWithHindrance(patience: .seconds(30))
        let count = try await opened.write { connection throws(StoreFailure) in
            let count = try Tally.increment(1, on: connection)
            _ = try connection.rows(Self.hinder, [.text(state), .integer(3)])
            return count
        }
        #expect(count == 1)
        #expect(try callCount() == "4")
        #expect(try await opened.read(Tally.counts) == [1: 1])
        await opened.close()
    }

    @Test func `is given up when patience ends, and has left nothing`() async throws {
        let (opened, _) = try storeWithHindrance(patience: .milliseconds(50))
        await #expect(throws: StoreFailure.busy) {
            try await opened.write { connection throws(StoreFailure) in
                _ = try Tally.increment(1, on: connection)
                return try connection.rows(Self.hinder, [.text("40001"), .integer(.max)])
            }
        }
        #expect(try await opened.read(Tally.counts) == [:])
        await opened.close()
    }

    @Test func `fails at once for any other reason`() async throws {
        let (opened, callCount) = try storeWithHindrance(patience: .seconds(30))
        await #expect(throws: StoreFailure.conflict) {
            try await opened.write { connection throws(StoreFailure) in
                try connection.rows(Self.hinder, [.text("23505"), .integer(1)])
            }
        }
        #expect(try callCount() == "1")
        await opened.close()
    }
}
