import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import Storage
@testable import Verification

/// Another program writes the marker of a commit that it then prevents.
@Suite(.needsPostgres) struct `A forged marker of a commit` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    private let server: PostgresServer

    init() async throws {
        server = try PostgresServer.shared()
        premises = try Premises(on: .postgreSQL)
        bank = try await premises.begin()
        phone = try await bank.activate()
    }

    private var database: String {
        premises.store.text.split(separator: "=").last.map(String.init) ?? ""
    }

    /// The same bank, whose second commit is cut after the marker was forged.
    ///
    /// The first one registers the writer.
    private func open(cut: CuttingRelay.Cut, forges: Bool) throws -> (Bank, CuttingRelay) {
        let relay = try CuttingRelay(to: server) { [server, database] number in
            guard number == 2 else { return nil }
            if forges {
                #expect(throws: Never.self) {
                    try server.query("UPDATE countersign_commits SET number = 1", in: database)
                }
            }
            return cut
        }
        let opened = try PostgresDatabase(
            relay.address(of: premises.store.text),
            migrations: Schema.migrations
        )
        var other = bank
        other.use(bank.verifier(over: opened))
        return (other, relay)
    }

    /// The registration of the writer has no effect.
    @Test func `that cannot be inserted fails each change, and nothing else`() async throws {
        let opened = try PostgresDatabase(
            premises.store.text,
            migrations: Schema.migrations,
            readerCount: 1
        )
        var other = bank
        other.use(bank.verifier(over: opened))
        // Both sessions have begun, and the writer is registered, before the rule exists.
        #expect(try await phone.checkPIN(with: .wrong, in: other) == .wrong(left: 4))
        _ = try server.query(
            """
            CREATE RULE r AS ON INSERT TO countersign_commits DO INSTEAD NOTHING;
            DELETE FROM countersign_commits
            """,
            in: database
        )
        for _ in 1...2 {
            let altered = StoreFailure.altered(table: "countersign_commits")
            await #expect(throws: Verifier.Failure.store(altered)) {
                try await phone.checkPIN(with: .wrong, in: other)
            }
        }
        _ = try server.query("DROP RULE r ON countersign_commits", in: database)
        // No code was compared while the writer could not register.
        #expect(try await phone.checkPIN(with: .wrong, in: other) == .wrong(left: 3))
        await opened.close()
    }

    @Test func `with the last place fails each change after a restart`() async throws {
        _ = try server.query(
            "INSERT INTO countersign_commits VALUES ('w', 9223372036854775807, 1)",
            in: database
        )
        let opened = try PostgresDatabase(premises.store.text, migrations: Schema.migrations)
        var other = bank
        other.use(bank.verifier(over: opened))
        let altered = StoreFailure.altered(table: "countersign_commits")
        await #expect(throws: Verifier.Failure.store(altered)) {
            try await phone.checkPIN(with: .wrong, in: other)
        }
        await opened.close()
    }

    @Test func `SEC-08: does not make a node believe in a commit that failed`() async throws {
        let (other, relay) = try open(cut: .beforeServer, forges: true)
        await #expect(throws: Verifier.Failure.store(.uncertain)) {
            try await phone.checkPIN(with: .wrong, in: other)
        }
        // The wrong code counts nevertheless.
        #expect(try await phone.checkPIN(with: .wrong, in: other) == .wrong(left: 3))
        await other.verifier.database.close()
        relay.close()
    }

    @Test(arguments: [CuttingRelay.Cut.afterServer, .duringCommit])
    func `differs from that of a commit whose response was lost`(
        _ cut: CuttingRelay.Cut
    ) async throws {
        let (other, relay) = try open(cut: cut, forges: false)
        #expect(try await phone.checkPIN(with: .wrong, in: other) == .wrong(left: 4))
        #expect(try await bank.credential(of: phone).failures.moments.count == 1)
        await other.verifier.database.close()
        relay.close()
    }

    @Test func `has no effect before the commit`() async throws {
        let tally = try server.makeDatabase()
        try PostgresDatabase.create(tally, migrations: tallyMigrations)
        let opened = try PostgresDatabase(tally, migrations: tallyMigrations)
        let name = tally.split(separator: "=").last.map(String.init) ?? ""
        let runs = RunCount()
        let count = try await opened.write { [server] connection throws(StoreFailure) in
            if runs.increment() == 1 {
                #expect(throws: Never.self) {
                    _ = try server.query("UPDATE countersign_commits SET number = 1", in: name)
                    _ = try server.query(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                            + "WHERE datname = '\(name)' AND pid <> pg_backend_pid()"
                    )
                }
            }
            return try Tally.increment(1, on: connection)
        }
        #expect((count, runs.value) == (1, 2))
        #expect(try server.query("SELECT caller, count FROM tally", in: name) == "1|1")
        await opened.close()
    }
}
