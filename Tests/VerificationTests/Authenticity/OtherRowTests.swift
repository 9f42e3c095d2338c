import Storage
import TestSupport
import Testing
import VerifierWorld

@testable import Verification

/// A writer of the database changes what a comparison means, while the verifier runs.
///
/// So a query for one account also finds an authentic row of another one.
@Suite struct `SEC-101: An authentic row of another key` {
    @Test func `does not give a stranger's device to the new account of a victim`() async throws {
        let premises = try Premises(on: .sqlite)
        let bank = try await premises.begin()
        let (thief, phone) = try await bank.activate("VICTIM")
        let victim = try await bank.addAccount("victim")
        try premises.tamper(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema
            SET sql = replace(sql, 'account_id TEXT', 'account_id TEXT COLLATE NOCASE')
            WHERE name = 'devices';
            PRAGMA schema_version = 1000;
            PRAGMA writable_schema = RESET;
            REINDEX
            """
        )
        let forged = StoreFailure.forged(row: "devices by enterprise, account_type, account_id")
        let new = Bank.account("new")
        await #expect(throws: Verifier.Failure.store(forged)) {
            try await bank.verifier.replace(victim, by: new.key, by: Bank.core)
        }
        #expect(try await bank.credential(of: phone).device.account == thief)
        await bank.database.close()
    }
}
