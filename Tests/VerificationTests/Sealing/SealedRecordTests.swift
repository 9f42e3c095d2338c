import Cryptography
import Foundation
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker who could also compute the tags of rows.
@Suite(.onEveryStore) struct `A sealed record` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    /// The sealed values of two devices are changed while the store is closed.
    @Test(arguments: [
        // Seeds that are swapped between two accounts, or between accounts and kinds.
        swap("credentials", "seed", "kind = 1", "kind = 1"),
        swap("credentials", "seed", "kind = 1", "kind = 2"),
        // A copied row.
        """
        UPDATE credentials SET seed = (SELECT seed FROM credentials WHERE kind = 2 LIMIT 1)
        WHERE kind = 1
        """,
        // The identifiers of the owner for which the value is sealed.
        "UPDATE credentials SET generation = generation + 1",
        "UPDATE credentials SET generation = 0 WHERE generation = 1",
        "UPDATE credentials SET id = substr(seed, 10, 16)",
        "UPDATE devices SET account_id = '4712' WHERE account_id = '4711'",
        // The value itself.
        "UPDATE credentials SET seed = CAST(substr(seed, 1, length(seed) - 1) || x'00' AS BLOB)",
        "UPDATE credentials SET seed = CAST(substr(seed, 1, 4) || x'02' || substr(seed, 6) AS BLOB)",
    ])
    func `does not open after a move or a change, and no attempt is counted`(
        _ statement: String
    ) async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let (_, other) = try await bank.activate("4712")
        #expect(try await phone.changePIN(in: bank) == .accepted(nil))
        await bank.database.close()
        try await premises.tamperWithKeys(translated(statement))
        bank = try await premises.open()
        var failures = 0
        for phone in [phone, other] {
            let before = try await bank.credential(of: phone)
            let attempt = try await phone.attempt(over: .pinCheck, in: bank)
            do throws(Verifier.Failure) {
                _ = try await bank.verifier.checkPIN(attempt)
            } catch let failure {
                // The key of another version is missing.
                if failure != .sealedRecord(.keyMissing(version: 2)) {
                    let row = "credentials device=\(phone.id) kind=1"
                    #expect(failure == .store(.forged(row: row)))
                }
                failures += 1
                #expect(try await bank.credential(of: phone) == before)
            }
        }
        #expect(failures > 0)
    }

    /// Translates a statement for SQLite to the SQL of the engine.
    private func translated(_ statement: String) -> String {
        guard case .server = premises.store else { return statement }
        return statement.replacing("AS BLOB", with: "AS BYTEA").replacing("x'", with: "'\\x")
    }

    @Test func `SEC-57: a copy of the database without its key file gives no seed`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        let stranger = Verifier(
            database: bank.database,
            keys: KeyRing(try #require(KeyEncryptionKeys([.random(version: 1)]))),
            agreementKey: bank.agreementKey,
            journal: nil,
            clock: bank.clock.verifierClock
        )
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await stranger.checkPIN(attempt)
        }
        guard case .store(let reason)? = failure, reason.isForgery else {
            throw Bank.Unexpected()
        }
        #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
        await bank.database.close()

        let digits = try String(contentsOfFile: premises.keysPath, encoding: .utf8).dropFirst(2)
            .dropLast()
        let key = try TextEncoding.hexadecimal.decode(String(digits))
        let seed = try phone.seed(.user).withBytes { $0.array }
        for secret in [key, Array(digits.utf8), seed] {
            #expect(try !premises.store.contains(secret))
        }
        // The sealed seed is found, so the search works.
        let sealed = try await sealedSeed(of: phone)
        #expect(try premises.store.contains(sealed))
    }

    private func sealedSeed(of phone: Phone) async throws -> [UInt8] {
        let store = try premises.openStore()
        let seed = try await store.read { connection throws(StoreFailure) in
            try Ledger(connection, nil).credential(.user, on: phone.id)?.credential.seed.stored
        }
        await store.close()
        return try #require(seed)
    }

    /// Swaps two values.
    private static func swap(
        _ table: String,
        _ column: String,
        _ first: String,
        _ second: String
    ) -> String {
        """
        CREATE TEMP TABLE two AS SELECT
            (SELECT \(column) FROM \(table) WHERE \(first) ORDER BY device LIMIT 1) AS a,
            (SELECT \(column) FROM \(table) WHERE \(second) ORDER BY device DESC LIMIT 1) AS b;
        UPDATE \(table) SET \(column) = CASE \(column)
            WHEN (SELECT a FROM two) THEN (SELECT b FROM two) ELSE (SELECT a FROM two) END
        WHERE \(column) IN (SELECT a FROM two UNION SELECT b FROM two);
        """
    }
}
