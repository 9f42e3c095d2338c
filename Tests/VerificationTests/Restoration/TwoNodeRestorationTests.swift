import Sealing
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// Each node restores with its own journal; the other node was not running, or has restored first.
@Suite(.onEveryStore) struct `A restore on two nodes` {
    private let premises: Premises
    private let second: Premises

    init() throws {
        premises = try Premises()
        var second = premises
        second.journalPath += "-of-second-node"
        self.second = second
    }

    private var copy: String { premises.path + "/copy" }

    private func begin() async throws -> (Bank, secondNode: Bank, Phone) {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await bank.journalNow()
        let journal = try await Journal.join(
            at: second.journalPath,
            signingWith: premises.auditKey,
            over: KeyedStore(bank.database, KeyRing(premises.keys))
        )
        let node = try Bank(second, journal: journal, over: bank.database)
        try await premises.store.backUp(to: copy)
        return (bank, node, phone)
    }

    /// Returns the heads of the backup, and of the last result that only the second node returned.
    private func loseApproval(journaled: Bool) async throws -> (kept: AuditHead, end: AuditHead) {
        let (bank, node, phone) = try await begin()
        let kept = try await node.read { ledger throws(StoreFailure) in try ledger.state().audit }
        let payment = try await node.pay(1)
        #expect(try await phone.decide(on: payment, in: node) == .accepted(nil))
        if journaled { try await node.journalNow() }
        let end = try await node.read { ledger throws(StoreFailure) in try ledger.state().audit }
        await bank.database.close()
        try premises.store.putBack(copy)
        return (kept, end)
    }

    @Test(arguments: [false, true])
    func `reports what only the second node knows, and refuses to start before`(
        _ journaled: Bool
    ) async throws {
        let (kept, end) = try await loseApproval(journaled: journaled)
        #expect(try await premises.restore().lostRecords.isEmpty)
        await #expect(throws: JournalFailure.self) { try await open(second) }
        let findings = try await second.audit(againstJournal: true).findings
        #expect(!findings.isEmpty)
        let restoration = try await second.restore()
        #expect((restoration.lostRecords.previous, restoration.lostRecords.last) == (kept, end))
        try await open(second)
        try await open(premises)
        #expect(try await second.audit(againstJournal: true).findings == [])
    }

    @Test(arguments: [false, true])
    func `reports it also if that node is the first one`(_ journaled: Bool) async throws {
        let (kept, end) = try await loseApproval(journaled: journaled)
        let restoration = try await second.restore()
        #expect((restoration.lostRecords.previous, restoration.lostRecords.last) == (kept, end))
        #expect(try await premises.restore().lostRecords.isEmpty)
        try await open(second)
        try await open(premises)
    }

    /// The first node did not run after its first restore, so both branches have the same epoch.
    @Test func `reports what only the second node knows after two restores of both`() async throws {
        let (kept, _) = try await loseApproval(journaled: true)
        _ = try await premises.restore()
        let epoch = try await second.restore().epoch
        let node = try await second.open()
        _ = try await node.pay(1)
        try await node.journalNow()
        let end = try await node.read { ledger throws(StoreFailure) in try ledger.state().audit }
        await node.database.close()
        try premises.store.putBack(copy)
        premises.clock.advance(by: .seconds(60))
        #expect(try await premises.restore().epoch == epoch)
        let restoration = try await second.restore()
        #expect((restoration.lostRecords.previous, restoration.lostRecords.last) == (kept, end))
    }

    /// The second node was stopped before the last change.
    @Test(arguments: [false, true], [false, true])
    func `keeps a credential disabled that only one journal has disabled last`(
        _ secondIsFirst: Bool,
        _ isDisabledLast: Bool
    ) async throws {
        let (bank, node, phone) = try await begin()
        try await bank.setEnabled(false, phone)
        try await bank.setEnabled(true, phone)
        try await node.journalNow()
        if isDisabledLast { try await bank.setEnabled(false, phone) }
        try await bank.journalNow()
        await bank.database.close()
        try premises.store.putBack(copy)

        var unreplayed: [Event.Kind] = []
        for node in secondIsFirst ? [second, premises] : [premises, second] {
            unreplayed += try await node.restore().unreplayed.map(\.event.kind)
        }
        #expect(unreplayed == (isDisabledLast && !secondIsFirst ? [.credentialEnabled] : []))
        let restored = try await premises.open()
        let status = try await restored.credential(of: phone).credential.status
        #expect(status == (isDisabledLast ? .disabled : .active))
        await restored.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    /// The second node was stopped before the last two changes.
    @Test func `enables no credential because it disabled another one with the same id`()
        async throws
    {
        let (bank, node, phone) = try await begin()
        let other = try await bank.activate("4712").1
        let id = try await bank.credential(of: phone).credential.id
        let rekey = try await other.rekey(.biometric, id: id, in: bank)
        #expect(try await other.send(rekey, in: bank) == .accepted(nil))
        let backup = premises.path + "/backup"
        try await premises.store.backUp(to: backup)
        try await bank.setEnabled(false, phone)
        try await bank.setEnabled(false, other, .biometric)
        try await bank.setEnabled(true, other, .biometric)
        try await node.journalNow()
        try await bank.setEnabled(false, other, .biometric)
        try await bank.setEnabled(true, phone)
        try await bank.journalNow()
        await bank.database.close()
        try premises.store.putBack(backup)

        #expect(try await premises.restore().unreplayed == [])
        let unreplayed = try await second.restore().unreplayed
        #expect(unreplayed.map(\.event.kind) == [.credentialEnabled])
        let restored = try await premises.open()
        let credential = try await restored.credential(.biometric, of: other).credential
        #expect(credential.status == .disabled)
        await restored.database.close()
    }

    private func open(_ node: Premises) async throws {
        await (try await node.open()).database.close()
    }
}
