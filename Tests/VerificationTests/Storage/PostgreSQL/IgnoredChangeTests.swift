import Storage
import TestSupport
import Testing
import Verification
import VerifierWorld

/// A rule of PostgreSQL ignores a change, and the server reports no error.
@Suite struct `A change that PostgreSQL ignores` {
    @Test(.needsPostgres) func `fails, and only until the rule is dropped`() async throws {
        let premises = try Premises(on: .postgreSQL)
        let bank = try await premises.begin()
        _ = try await bank.addAccount("4713")
        let creation = "CREATE RULE r AS ON INSERT TO audit DO INSTEAD NOTHING"
        #expect(try premises.store.output(of: creation) == "")
        // The second call can have a session that began with the rule.
        for name in ["4714", "4715"] {
            await #expect(throws: Verifier.Failure.self) { _ = try await bank.addAccount(name) }
        }
        #expect(try premises.store.output(of: "DROP RULE r ON audit") == "")
        for name in ["4714", "4715"] { _ = try await bank.addAccount(name) }
        #expect(try await bank.count(of: .accountCreated) == 4)
        await bank.database.close()
    }
}
