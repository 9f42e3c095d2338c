import Foundation
import OneTimePassword
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

/// Stores exist that earlier releases made, and none of them is left behind.
@Suite struct `A store of an earlier version` {
    /// Before a release, `PIN_STORE=1 swift test --filter 'store_of_an_earlier_version'` keeps one of
    /// its own.
    @Test(.enabled(if: EarlierStore.isPinned), arguments: EarlierStore.latest)
    func `is kept`(_ store: EarlierStore) async throws {
        let premises = try Premises(on: store.kind)
        try await fill(try await premises.begin(policy: #"{"minimumTokenDigits": 6}"#), premises)
        try premises.export(to: store.path)
    }

    @Test(arguments: EarlierStore.all)
    func `is moved on as it is opened, and goes on with all that it holds`(
        _ store: EarlierStore
    ) async throws {
        let folder = try TemporaryFolder()
        let premises = try Premises(exportedAt: store.path, to: folder, on: store.kind)
        let owed = try owed(in: premises.store)
        let bank = try await premises.open()
        let phone = try premises.phones()[0]
        let list = try await bank.verifier.pendingTransactions(for: phone.id)
        guard
            case .found(let ids) = list,
            case .found(let pending) = try await bank.verifier.transaction(ids[0], for: phone.id)
        else { throw Bank.Unexpected() }
        let decisions = [pending.transaction, try await bank.pay()]
        for transaction in decisions {
            #expect(try await phone.decide(on: transaction, in: bank) == .accepted(nil))
        }
        try await expectTold(owed, by: bank)
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    /// What the bank is owed, by account and in its order.
    private func owed(in store: StoreAddress) throws -> [String: [UInt64]] {
        let rows = try store.answer(
            to: """
                SELECT account_type || '/' || account_id, sequence FROM outbox
                WHERE target = 1 AND state = 0 ORDER BY sequence
                """
        )
        return try rows.split(separator: "\n").reduce(into: [:]) {
            let columns = $1.split(separator: "|")
            try #require(columns.count == 2, "\(rows)")
            $0[String(columns[0]), default: []].append(try #require(UInt64(columns[1])))
        }
    }

    /// Of each account one thing after the other, and first what an earlier version owed.
    private func expectTold(_ owed: [String: [UInt64]], by bank: Bank) async throws {
        var told: [String: [UInt64]] = [:]
        while case let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 100),
            !taken.isEmpty
        {
            #expect(Set(taken.map(\.account.key.id)).count == taken.count)
            for delivery in taken {
                told["\(delivery.account.key)", default: []].append(delivery.sequence)
                try await bank.verifier.note(.delivered, of: delivery)
            }
        }
        #expect(owed.values.joined().count > 5)
        for (account, sequences) in owed {
            #expect(told[account]?.starts(with: sequences) == true, "\(account): \(told)")
        }
        for sequences in told.values {
            #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "\(told)")
        }
        let waiting = try await bank.verifier.deliveries(.waiting, limit: 1000)
        #expect(!waiting.contains { $0.target == .webhook })
    }

    /// A row of each kind, one of them a transaction that waits.
    private func fill(_ bank: Bank, _ premises: Premises) async throws {
        let phone = try await bank.activate()
        let token = try await TokenInHand(in: bank)
        #expect(try await token.type(try token.code(at: 3), in: bank) == .accepted(nil))
        try await phone.decide(on: try await bank.pay(), in: bank)
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        let linked = try await bank.addLinkedAccount("4712")
        _ = try await bank.activateAll(linked, 2)
        let (old, moved) = try await bank.activate("4714")
        let new = Bank.account("4715").key
        #expect(try await bank.verifier.replace(old, by: new, by: Bank.core) == .done)
        #expect(try await moved.changePIN(in: bank) == .accepted(nil))
        bank.clock.advance(by: .seconds(8 * 24 * 60 * 60))
        #expect(try await bank.verifier.tidy() > 0)
        try await phone.checkPIN(with: .wrong, in: bank)
        guard case .accepted(.some) = try await phone.logIn(in: bank) else {
            throw Bank.Unexpected()
        }
        _ = try await bank.issue(for: linked)
        _ = try await bank.pay()
        try await bank.journalNow()
        await bank.database.close()
        try premises.keep([phone])
    }
}
