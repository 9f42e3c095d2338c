import Foundation
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import PrivateFiles
@testable import Storage
@testable import Verification

/// A copy that was made without `backup` replaces the store after a crash.
@Suite(.onEveryStore) struct `A raw copy of the store` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    /// The journal is signed later, so it does not know the records.
    @Test(arguments: [0, 1, 20])
    func `SEC-04, SEC-102: does not start, however new it is, and accepts no used code`(
        _ recordsBefore: Int
    ) async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        for number in 0..<recordsBefore { _ = try await bank.addAccount("\(number)") }
        let copy = premises.path + "/copy"
        try await premises.store.backUp(to: copy)
        let code = try await phone.typedCode(in: bank)
        #expect(try await phone.type(code, in: bank) == .accepted(nil))
        await bank.database.close()
        try premises.store.putBack(copy)
        await #expect(throws: JournalFailure.self) { _ = try await premises.open() }
        _ = try await premises.restore()
        let restored = try await premises.open()
        #expect(try await phone.type(code, in: restored) != .accepted(nil))
        await restored.database.close()
    }

    @Test func `SEC-102: is not in order for an audit with the journal`() async throws {
        let bank = try await premises.begin()
        let copy = premises.path + "/copy"
        try await premises.store.backUp(to: copy)
        _ = try await bank.addAccount("4799")
        let last = try await bank.events().count
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
        try premises.store.putBack(copy)
        let finding = AuditFinding(sequence: UInt64(last), kind: .lacksReturned)
        #expect(try await premises.audit(againstJournal: true).findings.contains(finding))
        // A copy of the journal without that file shows less.
        try FileManager.default.removeItem(atPath: premises.journalPath + ".head")
        #expect(try await !premises.audit(againstJournal: true).findings.contains(finding))
    }

    @Test func `is restored with the span up to the last result that was returned`() async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await bank.journalNow()
        let payment = try await bank.pay(1)
        let copy = premises.path + "/copy"
        try await premises.store.backUp(to: copy)
        let kept = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let end = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        await bank.database.close()
        try premises.store.putBack(copy)
        // The journal has no line about the approval.
        let restoration = try await premises.restore()
        #expect((restoration.lostRecords.previous, restoration.lostRecords.last) == (kept, end))
        let restored = try await premises.open()
        let details = try await restored.events().filter { $0.kind == .storeRestored }.map(\.detail)
        #expect(details.map { $0.hasPrefix("epoch 1 lost \(end.sequence) ") } == [true])
        await restored.database.close()
    }

    @Test func `is restored without a loss if it has the last result that was returned`()
        async throws
    {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await bank.journalNow()
        let payment = try await bank.pay(1)
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let copy = premises.path + "/copy"
        try await premises.store.backUp(to: copy)
        let end = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        await bank.database.close()
        try premises.store.putBack(copy)
        let lost = try await premises.restore().lostRecords
        #expect(lost.isEmpty)
        #expect((lost.previous, lost.last) == (end, end))
    }

    @Test func `SEC-102: does not start without the file of the last head`() async throws {
        let bank = try await premises.begin()
        await bank.database.close()
        try FileManager.default.removeItem(atPath: premises.journalPath + ".head")
        await #expect(throws: JournalFailure.lostHead) { _ = try await premises.open() }
        _ = try await premises.restore()
        await (try await premises.open()).database.close()
    }

    /// The file has no signature: a writer of its folder can store any head.
    @Test func `a forged head does not date the records of a restore`() async throws {
        let bank = try await premises.begin()
        try await bank.journalNow()
        let end = try await bank.read { ledger throws(StoreFailure) in try ledger.state() }
        await bank.database.close()
        let century = Duration.seconds(3_155_760_000)
        let forged = Checkpoint(
            store: end.id,
            epoch: end.epoch,
            head: AuditHead(
                sequence: end.audit.sequence + 100,
                moment: end.audit.moment + century,
                hash: [UInt8](repeating: 7, count: 32)
            )
        )
        try HeadFile.create(ofJournal: premises.journalPath, with: forged)
        #expect(try await premises.restore().lost == forged)
        let restored = try await premises.open()
        let last = try await restored.read { ledger throws(StoreFailure) in try ledger.state() }
        #expect(last.audit.sequence > end.audit.sequence)
        #expect(last.audit.moment < end.audit.moment + century)
        await restored.database.close()
    }

    /// A result is returned only after the file has its head.
    @Test func `every returned result is in the file of the last head`() async throws {
        let bank = try await premises.begin()
        let file = try #require(try HeadFile(ofJournal: premises.journalPath))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    for call in 0..<10 {
                        _ = try await bank.addAccount("\(caller)-\(call)")
                        let returned = try file.last().head.sequence
                        let account = Bank.account("\(caller)-\(call)")
                        let record = try await bank.events()
                            .firstIndex { $0.account == account }
                        #expect(try returned > UInt64(#require(record)))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    struct Reading: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Returns whether the result shows that the payment was decided.
        let showsDecision: @Sendable (Verifier, Transaction, DeviceID) async throws -> Bool
    }

    private static let readings = [
        Reading(testDescription: "the status for the bank") { verifier, payment, _ in
            try await verifier.overview(of: payment.id, of: Bank.account)?.state != .pending
        },
        Reading(testDescription: "a refusal for the device") { verifier, payment, device in
            guard case .refused = try await verifier.transaction(payment.id, for: device) else {
                return false
            }
            return true
        },
        Reading(testDescription: "a message to the bank") { verifier, _, _ in
            while let delivery = try await verifier.takeDeliveries(to: .webhook, limit: 1).first {
                if case .event(let event)? = try await verifier.notice(of: delivery),
                    event.record.event.kind == .transactionApproved
                {
                    return true
                }
                try await verifier.note(.delivered, of: delivery)
            }
            return false
        },
        Reading(testDescription: "an export of the trail") { verifier, _, _ in
            var export = try await verifier.auditExport(of: nil, after: 0)
            var lines: [UInt8] = []
            while let next = try await export.next() { lines += next }
            return String(decoding: lines, as: UTF8.self).contains("transaction.approved")
        },
    ]

    /// Otherwise a copy of the store could lack an approval that was reported.
    @Test(arguments: readings)
    func `SEC-102: a read reports an outcome only after the file has its head`(
        _ reading: Reading
    ) async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let path = premises.journalPath + ".head"
        let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        #expect(flock(file.number, LOCK_EX) == 0)
        let deciding = Task { try await phone.decide(on: payment, in: bank) }
        try await waitUntil { try await bank.state(of: payment) != .pending }
        let isReported = LockedValue(false)
        let result = Task {
            let shows = try await reading.showsDecision(bank.verifier, payment, phone.id)
            isReported.withLock { $0 = true }
            return shows
        }
        // A read that does not wait ends long before these.
        for _ in 0..<100 { _ = try await bank.state(of: payment) }
        #expect(isReported.withLock { !$0 })
        #expect(flock(file.number, LOCK_UN) == 0)
        #expect(try await deciding.value == .accepted(nil))
        #expect(try await result.value)
        await bank.database.close()
    }
}
