import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `A verifier that knows the committed head` {
    @Test func `stops permanently when the store has lost a record`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(Self.deleteLast, [])
            try connection.run(Self.setBack, [])
        }
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await bank.verifier.checkPIN(attempt)
        }
        // Another verifier makes the trail longer than it was.
        let other = Verifier(
            database: bank.database,
            keys: bank.verifier.keys,
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        for _ in 1...5 {
            _ = try await other.issueActivation(for: Bank.account, by: .operatorCommand)
        }
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await bank.verifier.checkPIN(attempt)
        }
        #expect(try await other.checkPIN(attempt) == .accepted(nil))
    }

    @Test func `stops when the store's last record differs`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        _ = try await bank.database.write { connection throws(StoreFailure) in
            try connection.run(Self.otherHash, [])
        }
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await bank.pay()
        }
    }

    private static let deleteLast = Statement(
        "DELETE FROM audit WHERE sequence = (SELECT audit_sequence FROM verifier)"
    )
    private static let setBack = Statement(
        """
        UPDATE verifier SET audit_sequence = audit_sequence - 1,
            audit_hash = (SELECT hash FROM audit ORDER BY sequence DESC LIMIT 1)
        """
    )
    private static let otherHash = Statement(
        "UPDATE verifier SET audit_hash = substr(audit_hash, 2)"
    )
}

/// A PostgreSQL database can be restored while a node uses it; a SQLite file cannot.
@Suite struct `A node on PostgreSQL` {
    @Test(.needsPostgres)
    func `stops when a committed record is missing, and starts only after a restore`()
        async throws
    {
        let premises = try Premises(on: .postgreSQL)
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let backup = premises.path + "/backup"
        try await premises.store.backUp(to: backup)
        try await bank.revoke(phone)
        try premises.store.putBack(backup)
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        for _ in 1...2 {
            await #expect(throws: Verifier.Failure.store(.rolledBack)) {
                _ = try await bank.verifier.checkPIN(attempt)
            }
        }
        await #expect(throws: JournalFailure.self) { _ = try await premises.open() }
        _ = try await premises.restore()
        let restored = try await premises.open()
        let again = try await phone.attempt(over: .pinCheck, in: restored)
        #expect(try await restored.verifier.checkPIN(again) == .refused(.deviceRevoked))
    }
}
