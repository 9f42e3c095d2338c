import Cryptography
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
        try await bank.setHead { head, ledger throws(StoreFailure) in
            for statement in Self.deleteLast { try ledger.connection.run(statement, []) }
            return try ledger.auditRecord(head.sequence - 1).map { AuditHead($0) } ?? .empty
        }
        let attempt = try await phone.attempt(over: .pinCheck, in: bank)
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await bank.verifier.checkPIN(attempt)
        }
        // Another verifier makes the trail longer than it was.
        let other = Verifier(
            database: bank.database,
            keys: KeyRing(bank.verifier.keys),
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

    /// The other call is not resumed yet, or of another node.
    @Test func `keeps the head of another call before it reports that call's lock`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        var other = bank
        other.use(bank.verifier(over: bank.database))
        try await phone.failUntilLocked(in: other)
        let locked = try await bank.read { ledger throws(StoreFailure) in try ledger.state().audit }
        let file = try JournalFile(premises.journalPath, signedBy: premises.auditKey.publicKey)
        #expect(try #require(try file.lastReturned()).head != locked)
        let result = try await phone.checkPIN(in: bank)
        #expect(result == .refused(.locked(until: bank.clock.now + .seconds(30 * 60))))
        #expect(try file.lastReturned()?.head == locked)
        await bank.database.close()
    }

    @Test func `stops when the store's last record differs`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        try await bank.setHead { head, _ throws(StoreFailure) in
            AuditHead(sequence: head.sequence, moment: head.moment, hash: head.hash.reversed())
        }
        await #expect(throws: Verifier.Failure.store(.rolledBack)) {
            _ = try await bank.pay()
        }
    }

    @Test func `stops if the file of the last head has a record that the store lacks`()
        async throws
    {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        // Another process of this node wrote it, over the store before it was replaced.
        let state = try await bank.read { ledger throws(StoreFailure) in try ledger.state() }
        let lost = AuditHead(
            sequence: state.audit.sequence + 100,
            moment: state.audit.moment,
            hash: [UInt8](repeating: 7, count: 32)
        )
        let file = try #require(try HeadFile(ofJournal: premises.journalPath))
        try file.replace(by: Checkpoint(store: state.id, epoch: state.epoch, head: lost))
        for _ in 1...2 {
            await #expect(throws: Verifier.Failure.store(.rolledBack)) {
                _ = try await phone.typedVerdict(in: bank)
            }
        }
        await bank.database.close()
    }

    private static let deleteLast = [
        Statement("DELETE FROM outbox WHERE sequence = (SELECT audit_sequence FROM verifier)"),
        Statement("DELETE FROM audit WHERE sequence = (SELECT audit_sequence FROM verifier)"),
    ]
}

extension Phone {
    fileprivate func typedVerdict(in bank: Bank) async throws -> AttemptResult {
        try await type(try await typedCode(in: bank), in: bank)
    }
}

extension Bank {
    /// Changes the head of the trail, with a valid tag.
    fileprivate func setHead(
        to head: @escaping @Sendable (AuditHead, Ledger) throws(StoreFailure) -> AuditHead
    ) async throws {
        let ring = verifier.keyRing
        try await database.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            var state = try ledger.state()
            state.audit = try head(state.audit, ledger)
            try ledger.save(state, by: saveHead)
        }
    }
}

private let saveHead = Statement(
    "UPDATE verifier SET \(set: [.auditSequence, .auditMoment, .auditHash, .tag]) WHERE id = 1"
)

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
