import PrivateFiles
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

/// An attacker keeps rows that were written after a backup, and inserts them when it is restored.
@Suite(.onEveryStore) struct `A row of records that a restore discarded` {
    private let premises: Premises
    private let backup: String

    init() throws {
        premises = try Premises()
        backup = premises.path + "/backup"
    }

    /// All rows of a table, with their tags.
    private struct Kept: Sendable {
        let rows: [[SQLValue]]
        let insertion: Statement
    }

    private func keepRows(
        of tables: [Table] = [.accounts, .devices, .credentials, .bankTokens],
        in bank: Bank
    ) async throws -> [Kept] {
        try await bank.database.read { connection throws(StoreFailure) in
            try tables.map { table throws(StoreFailure) in
                let select = Statement("SELECT \(table.columns) FROM \(table)")
                return Kept(
                    rows: try connection.rows(select, []).map { row throws(StoreFailure) in
                        try row[select.columns]
                    },
                    insertion: Statement(
                        "INSERT INTO \(table) \(insert: table.columns) ON CONFLICT DO NOTHING"
                    )
                )
            }
        }
    }

    private func insert(_ kept: [Kept]) async throws {
        let store = try premises.openStore()
        try await store.write { connection throws(StoreFailure) in
            for table in kept {
                for row in table.rows { _ = try connection.run(table.insertion, row) }
            }
        }
        await store.close()
    }

    /// The attacker's rows in the restored store.
    private struct Loot {
        let restored: Bank
        let phone: Phone
        let account: AccountReference
        let token: [UInt8]
    }

    /// When the attacker inserts the rows.
    enum Moment: CaseIterable {
        case beforeRestore
        /// The first restore stopped after its commit, and before the line of the journal.
        case betweenRestores
        case afterRestore
    }

    /// A token that was revoked and a device that was enrolled after the backup.
    private func insertRows(_ moment: Moment) async throws -> Loot {
        let bank = try await premises.begin()
        _ = try await bank.activate()
        try await premises.store.backUp(to: backup)
        let token = try await bank.makeToken("administrator", for: .administrator, in: nil)
        let (account, phone) = try await bank.activate("4712")
        let kept = try await keepRows(in: bank)
        let name = BankTokenName(checked: "administrator")
        #expect(try await bank.verifier.revokeToken(named: name, by: .operatorCommand))
        await bank.database.close()
        try premises.store.putBack(backup)
        let forged = try await restore(inserting: kept, moment)
        let restored = try await premises.open()
        #expect(try await restored.count(of: .rowForged) == forged.count)
        // The account, the device, its two credentials, and the token.
        #expect(forged.count == (moment == .afterRestore ? 0 : 5))
        #expect(forged.contains("devices id=\(phone.id)") == (moment != .afterRestore))
        return Loot(restored: restored, phone: phone, account: account, token: token)
    }

    /// Returns the rows that the last restore named.
    private func restore(inserting kept: [Kept], _ moment: Moment) async throws -> [String] {
        switch moment {
        case .beforeRestore:
            try await insert(kept)
            return try await premises.restore().forged.names
        case .betweenRestores:
            await #expect(throws: JournalFailure.file(.full)) {
                _ = try await premises.restore { _ throws(JournalFailure) in
                    throw .file(.full)
                }
            }
            try await insert(kept)
            return try await premises.restore().forged.names
        case .afterRestore:
            let forged = try await premises.restore().forged.names
            try await insert(kept)
            return forged
        }
    }

    @Test(arguments: Moment.allCases)
    func `SEC-101: is not a token of an administrator`(_ moment: Moment) async throws {
        let loot = try await insertRows(moment)
        #expect(try await loot.restored.verifier.token(shown: loot.token) == nil)
        #expect(loot.restored.verifier.forgeries.count == 1)
        await loot.restored.database.close()
    }

    @Test(arguments: Moment.allCases)
    func `SEC-101: is not a device`(_ moment: Moment) async throws {
        let loot = try await insertRows(moment)
        // Each request of a device begins with its key.
        let failure = await #expect(throws: Verifier.Failure.self) {
            let key = try await loot.restored.verifier.publicKey(of: loot.phone.id)
            #expect(key == nil)
        }
        guard case .store(let reason)? = failure else { throw Bank.Unexpected() }
        #expect(reason.isForgery)
        await loot.restored.database.close()
    }

    @Test(arguments: Moment.allCases)
    func `SEC-101: is found by an audit with the keys`(_ moment: Moment) async throws {
        let loot = try await insertRows(moment)
        await loot.restored.database.close()
        let store = try premises.openStore()
        let report = try await AuditVerification.run(
            over: KeyedStore(store, KeyRing(premises.keys))
        )
        await store.close()
        let rows = Set(report.findings.compactMap(\.kind.row))
        #expect(rows.contains("devices id=\(loot.phone.id)"))
        #expect(rows.contains { $0.hasPrefix("bank_tokens ") })
        #expect(!rows.contains { $0.hasPrefix("audit ") })
    }

    /// An attacker exchanges a locked credential for its later version, which is not locked.
    @Test func `SEC-04, SEC-101: is not the later version of a row of the backup`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await phone.failUntilLocked(in: bank)
        try await premises.store.backUp(to: backup)
        let unlocked = try await bank.verifier.unlock(
            .user,
            on: phone.id,
            of: Bank.account,
            by: Bank.core
        )
        #expect(unlocked == .done)
        let kept = try await keepRows(in: bank)
        await bank.database.close()
        try premises.store.putBack(backup)
        try premises.tamper("DELETE FROM credentials")
        try await insert(kept)
        let forged = try await premises.restore().forged.names
        #expect(forged.count == 1)
        #expect(forged[0].hasPrefix("credentials device=\(phone.id) kind="))
        let restored = try await premises.open()
        let failure = await #expect(throws: Verifier.Failure.self) {
            _ = try await restored.verifier.devices(of: Bank.account)
        }
        guard case .store(let reason)? = failure else { throw Bank.Unexpected() }
        #expect(reason.isForgery)
        await restored.database.close()
    }

    /// The attacker removes the records again while the restore waits for its transaction.
    @Test func `SEC-101: is not a record that ends the repetition of the journal`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await premises.store.backUp(to: backup)
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: .operatorCommand)
        let kept = try await keepRows(of: [.audit], in: bank)
        await bank.database.close()
        try premises.store.putBack(backup)
        try await insert(kept)
        let premises = premises
        let restoration = try await premises.restore(through: { store in
            InterleavedDatabase(store) {
                try premises.tamper("DELETE FROM audit WHERE sequence > \(last)")
            }
        })
        #expect(restoration.replayed == 1)
        #expect(restoration.lostRecords.first == last + 1)
        let restored = try await premises.open()
        let status = try await restored.read { ledger throws(StoreFailure) in
            try ledger.device(phone.id)?.status
        }
        #expect(status == .revoked)
        await restored.database.close()
    }

    @Test func `is not found after a restore without an attacker, nor after a second one`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await premises.store.backUp(to: backup)
        let first = try await bank.read { ledger throws(StoreFailure) in try ledger.state() }
        #expect(first.restoreID == nil)
        await bank.database.close()
        var ids: Set<[UInt8]> = []
        for _ in 1...2 {
            try premises.store.putBack(backup)
            _ = try await premises.restore()
            // A restore that stopped before its journal was written is repeated.
            _ = try await premises.restore()
            let restored = try await premises.open()
            let payment = try await restored.pay()
            #expect(try await phone.decide(on: payment, in: restored) == .accepted(nil))
            let state = try await restored.read { ledger throws(StoreFailure) in
                try ledger.state()
            }
            ids.insert(try #require(state.restoreID))
            let report = try await AuditVerification.run(
                over: KeyedStore(restored.database, KeyRing(premises.keys))
            )
            #expect(report.findings == [])
            await restored.database.close()
        }
        #expect(ids.count == 2)
    }

    /// Otherwise one row would stop the bank.
    @Test func `SEC-101: stays forged if it was forged in the backup`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let (_, other) = try await bank.activate("4712")
        await bank.database.close()
        try premises.tamper("UPDATE devices SET name = 'Other' WHERE account_id = '4712'")
        _ = try await premises.restore()
        let restored = try await premises.open()
        let payment = try await restored.pay()
        #expect(try await phone.decide(on: payment, in: restored) == .accepted(nil))
        await #expect(throws: Verifier.Failure.self) {
            _ = try await restored.verifier.publicKey(of: other.id)
        }
        await restored.database.close()
    }

    /// An operator forgot to stop a node.
    @Test func `a node that ran during the restore stops`() async throws {
        let bank = try await premises.begin()
        let token = try await bank.makeToken("core")
        let other = try Bank(premises)
        #expect(try await other.verifier.token(shown: token) != nil)
        await bank.database.close()
        _ = try await premises.restore()
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await other.verifier.token(shown: token)
        }
        await other.database.close()
    }
}
