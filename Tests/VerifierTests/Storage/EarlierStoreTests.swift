import Foundation
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import Verifier
import VerifierWorld

/// What a release left behind: a store of its version, with keys, journal and a phone.
private struct EarlierStore: CustomTestStringConvertible {
    let version: Int
    let kind: StoreKind

    static let isPinned = ProcessInfo.processInfo.environment["PIN_STORE"] != nil
    static let latest = StoreKind.installed.map {
        EarlierStore(version: Schema.migrations.count, kind: $0)
    }
    static let all = (1..<Schema.migrations.count).flatMap { version in
        StoreKind.installed.map { EarlierStore(version: version, kind: $0) }
    }

    var testDescription: String { "version \(version) on \(kind)" }

    var path: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Stores/version-\(version).\(kind)").path
    }
}

/// Stores exist that earlier releases made, and none of them is left behind.
@Suite struct `A store of an earlier version` {
    /// Before a release, `PIN_STORE=1 swift test --filter 'store_of_an_earlier_version'` keeps one of
    /// its own.
    @Test(.enabled(if: EarlierStore.isPinned), arguments: EarlierStore.latest)
    fileprivate func `is kept`(_ store: EarlierStore) async throws {
        let premises = try Premises(on: store.kind)
        try await fill(try await premises.begin(policy: #"{"leastTokenDigits": 6}"#), premises)
        try premises.export(to: store.path)
    }

    @Test(arguments: EarlierStore.all)
    fileprivate func `is moved on as it is opened, and goes on with all that it holds`(
        _ store: EarlierStore
    ) async throws {
        let folder = try TemporaryFolder()
        let premises = try Premises(exportedAt: store.path, to: folder, on: store.kind)
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
        try await expectTold(of: phone, by: bank)
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    /// Of each account one thing after the other, whichever version put it into the outbox.
    private func expectTold(of phone: Phone, by bank: Bank) async throws {
        let waiting = try await bank.verifier.deliveries(.waiting, limit: 1000)
        #expect(waiting.contains { $0.target == .push } || !waiting.contains { $0.device != nil })
        var told: [UInt64] = []
        while case let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 100),
            !taken.isEmpty
        {
            #expect(Set(taken.map(\.account.key.id)).count == taken.count)
            for delivery in taken {
                told.append(delivery.sequence)
                try await bank.verifier.note(.delivered, of: delivery)
            }
        }
        let webhooks = waiting.filter { $0.target == .webhook }.map(\.sequence)
        #expect(webhooks.count > 5)
        #expect(told.sorted() == webhooks.sorted())
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
