import Foundation
import OneTimePassword
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite struct `A store of an earlier build` {
    /// Before a release, `PIN_STORE=1 swift test --filter EarlierStoreTests` exports its
    /// store.
    @Test(
        .enabled(if: EarlierStore.isPinned, "only before a release, with PIN_STORE=1"),
        arguments: EarlierStore.latest
    )
    func `is exported`(_ store: EarlierStore) async throws {
        let premises = try Premises(on: store.kind)
        try await fill(try await premises.begin(policy: #"{"minimumTokenDigits": 6}"#), premises)
        try premises.export(to: store.path)
    }

    @Test(arguments: EarlierStore.all)
    func `is migrated when it is opened, and keeps all its data`(
        _ store: EarlierStore
    ) async throws {
        let folder = try TemporaryFolder()
        let premises = try Premises(exportedAt: store.path, to: folder, on: store.kind)
        let waiting = try waitingDeliveries(in: premises.store)
        let bank = try await premises.open()
        let phone = try premises.phones()[0]
        let list = try await bank.verifier.pendingTransactions(for: phone.id)
        guard
            case .found(let ids) = list,
            case .found(let pending) = try await bank.verifier.transaction(ids[0], for: phone.id)
        else { throw Bank.Unexpected() }
        let decisions = [try #require(pending.transaction), try await bank.pay()]
        for transaction in decisions {
            #expect(try await phone.decide(on: transaction, in: bank) == .accepted(nil))
        }
        try await expectDeliveries(waiting, by: bank)
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test(arguments: EarlierStore.all)
    func `is restored without a forged row`(_ store: EarlierStore) async throws {
        let folder = try TemporaryFolder()
        let premises = try Premises(exportedAt: store.path, to: folder, on: store.kind)
        let restoration = try await premises.restore()
        #expect(restoration.forged.isEmpty)
        #expect(restoration.voidedTransactions == 1)
        let bank = try await premises.open()
        #expect(try await premises.phones()[0].checkPIN(in: bank) == .accepted(nil))
        await bank.database.close()
    }

    /// The sequence numbers of the bank's waiting deliveries, in order, by account.
    private func waitingDeliveries(in store: StoreAddress) throws -> [String: [UInt64]] {
        let rows = try store.output(
            of: """
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

    /// The deliveries of each account come one after the other, and the earlier version's first.
    private func expectDeliveries(_ earlier: [String: [UInt64]], by bank: Bank) async throws {
        var delivered: [String: [UInt64]] = [:]
        while case let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 100),
            !taken.isEmpty
        {
            #expect(Set(taken.map(\.concern)).count == taken.count)
            for delivery in taken {
                let account = try #require(delivery.account).key
                delivered["\(account)", default: []].append(delivery.sequence)
                try await bank.verifier.note(.delivered, of: delivery)
            }
        }
        #expect(earlier.values.joined().count > 5)
        for (account, sequences) in earlier {
            #expect(delivered[account]?.starts(with: sequences) == true, "\(account): \(delivered)")
        }
        for sequences in delivered.values {
            #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "\(delivered)")
        }
        let waiting = try await bank.verifier.deliveries(.waiting, limit: 1000)
        #expect(!waiting.contains { $0.target == .webhook })
    }

    /// Adds a row of each kind, including a pending transaction.
    private func fill(_ bank: Bank, _ premises: Premises) async throws {
        let phone = try await bank.activate()
        let token = try await SimulatedToken(in: bank)
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
        #expect(try await bank.verifier.applyRetention() > 0)
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
