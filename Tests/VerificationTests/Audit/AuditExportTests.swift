import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onEveryStore) struct `An export of one enterprise's records` {
    private let small = EnterpriseID(checked: "small")

    private func account(_ id: String) -> AccountReference {
        let key = AccountKey(type: Bank.account.key.type, id: AccountID(checked: id))
        return AccountReference(enterprise: small, key: key)
    }

    @Test func `SEC-50: contains all its records in order, and reads no others`() async throws {
        let bank = try await Bank()
        try await bank.verifier.addEnterprise(small, policy: "{}", by: Bank.core)
        _ = try await bank.verifier.addAccount(account("first"), by: Bank.core)
        // More records than the export searches at a time.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2100 {
                let other = Bank.account("A\(number)")
                group.addTask { _ = try await bank.verifier.addAccount(other, by: Bank.core) }
            }
            try await group.waitForAll()
        }
        _ = try await bank.verifier.addAccount(account("last"), by: Bank.core)

        let watched = WatchedDatabase(bank.database)
        var export = try await AuditExport(of: KeyedStore(watched), concerning: small)
        let before = watched.rowCount
        var text: [UInt8] = []
        while let lines = try await export.next() { text += lines }
        let records = try text.split(separator: UInt8(ascii: "\n"))
            .map { try AuditRecord(exported: Array($0)) }
        let all = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max)
        }
        #expect(all.count > 2100)
        #expect(records == all.filter { concerns($0.event) })
        #expect(records.count == 3)
        #expect(watched.rowCount - before == 3)
    }

    /// Its records have no chain of hashes that the reader could check.
    @Test(arguments: [
        "UPDATE audit SET detail = 'forged' WHERE sequence = 4",
        "UPDATE audit SET kind = 'device.unknown' WHERE sequence = 4",
    ])
    func `SEC-101: fails at a record that another program wrote`(_ edit: String) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        for number in 1...4 { _ = try await bank.addAccount("A\(number)") }
        try premises.tamper(edit)
        var export = try await bank.verifier.auditExport(of: Bank.enterprise, after: 0)
        var text: [UInt8] = []
        await #expect(throws: StoreFailure.forged(row: "audit sequence=4")) {
            while let lines = try await export.next() { text += lines }
        }
        let records = try text.split(separator: UInt8(ascii: "\n"))
            .map { try AuditRecord(exported: Array($0)) }
        #expect(records.map(\.sequence) == [1, 2, 3])
        #expect(bank.verifier.forgeries.count == 1)
        await bank.database.close()
    }

    private func concerns(_ event: Event) -> Bool {
        event.account.map { $0.enterprise == small } ?? (event.subject == small.text)
    }
}
