import Cryptography
import Dispatch
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `Verification of the audit trail` {
    private let premises: Premises
    private let records: [AuditRecord]

    /// The files are created once; each test gets a copy.
    init() async throws {
        let filled = try await Self.filled[.current].unwrapped().value
        premises = try filled.premises.copied()
        records = filled.records
    }

    private static let filled = Dictionary(
        uniqueKeysWithValues: StoreKind.installed.map { kind in
            (kind, Task { try await fill(Premises(on: kind)) })
        }
    )

    /// Fills a store with more than 20 records, and closes it.
    private static func fill(
        _ premises: Premises
    ) async throws -> (premises: Premises, records: [AuditRecord]) {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        for amount in 1...3 {
            try await phone.decide(on: try await bank.pay(UInt64(amount)), in: bank)
        }
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        _ = try await phone.changePIN(in: bank)
        let (_, blocked) = try await bank.activate("blocked")
        try await blocked.guessUntilBlocked(in: bank)
        let (_, revoked) = try await bank.activate("revoked")
        try await bank.revoke(revoked)
        let (_, disabled) = try await bank.activate("disabled")
        try await bank.setEnabled(false, disabled)
        _ = try await bank.pay()
        try await bank.journalNow()
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max)
        }
        await bank.database.close()
        return (premises, records)
    }

    @Test func `SEC-50: accepts an unchanged store`() async throws {
        let report = try await premises.audit(againstJournal: true)
        #expect(report.findings == [])
        #expect(report.checked == UInt64(records.count))
    }

    @Test(arguments: [
        "moment = moment + 1", "actor = 'operator'", "actor = 'nobody'",
        "kind = 'device.copied'", "kind = 'unheard-of'", "enterprise = 'other'",
        "account_type = 'other'", "account_id = 'other'",
        "enterprise = NULL, account_type = NULL, account_id = NULL",
        "subject = 'other'", "detail = detail || ' '",
        "hash = (SELECT hash FROM audit WHERE sequence = 4)", "hash = substr(hash, 2)",
    ])
    func `SEC-50: names a record with a changed column`(_ change: String) async throws {
        try premises.tamper("UPDATE audit SET \(change) WHERE sequence = 5")
        let finding = try #require(try await premises.audit().findings.first)
        #expect(finding.sequence == 5)
        #expect(finding.kind == .brokenLink || finding.kind == .malformed)
    }

    @Test(arguments: [
        ("DELETE FROM audit WHERE sequence = 5", 5, AuditFinding.Kind.outOfSequence),
        ("DELETE FROM audit WHERE sequence = 1", 1, .outOfSequence),
        (
            """
            UPDATE audit SET sequence = -1 WHERE sequence = 5;
            UPDATE audit SET sequence = 5 WHERE sequence = 6;
            UPDATE audit SET sequence = 6 WHERE sequence = -1;
            """, 5, .brokenLink
        ),
        (
            """
            INSERT INTO audit SELECT 0, moment, actor, kind, enterprise, account_type, account_id,
                subject, detail, traces, hash, tag FROM audit WHERE sequence = 5
            """, 1, .outOfSequence
        ),
        (
            """
            UPDATE audit SET sequence = sequence + 1000 WHERE sequence > 5;
            UPDATE audit SET sequence = sequence - 999 WHERE sequence > 1000;
            INSERT INTO audit SELECT 6, moment, actor, kind, enterprise, account_type, account_id,
                subject, detail, traces, hash, tag FROM audit WHERE sequence = 5;
            """, 6, .brokenLink
        ),
    ])
    func `SEC-50: names the place of missing, moved and added records`(
        _ statements: String,
        _ sequence: UInt64,
        _ kind: AuditFinding.Kind
    ) async throws {
        try premises.tamper(statements)
        let finding = AuditFinding(sequence: sequence, kind: kind)
        #expect(try await premises.audit().findings == [finding])
    }

    @Test func `accepts devices that moved with their account`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin(policy: #"{"minimumTokenDigits": 6}"#)
        let phone = try await bank.activate()
        let token = try await SimulatedToken(in: bank)
        for name in ["4712", "4713"] {
            let old = try await bank.credential(of: phone).device.account
            let new = AccountKey(type: old.key.type, id: AccountID(checked: name))
            #expect(try await bank.verifier.replace(old, by: new, by: Bank.core) == .done)
        }
        try await phone.guessUntilBlocked(in: bank)
        #expect(try await bank.credential(of: token).device.account == Bank.account("4713"))
        await bank.database.close()
        #expect(try await premises.audit().findings == [])
        try premises.tamper("UPDATE devices SET account_id = '4712'")
        #expect(try await premises.audit().findings != [])
    }

    /// Otherwise its memory would grow with the trail.
    @Test func `keeps no record after its check`() async throws {
        let (store, ring) = (try premises.openStore(), KeyRing(premises.keys))
        let kept = try await store.read { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            let rows = try ledger.auditRows(after: 0, limit: .max)
            guard rows.allSatisfy({ !$0.isForged }) else { throw .damaged }
            let names = rows.map { RowName(.record, [.integer($0.sequence)]) }
            return names.count { ledger.recorded.rows[$0] != nil }
        }
        await store.close()
        #expect(kept == 0)
    }

    @Test func `SEC-50: names the first record that a truncation removed`() async throws {
        let first = UInt64(records.count) - 2
        try premises.tamper("DELETE FROM audit WHERE sequence >= \(first)")
        let finding = AuditFinding(sequence: first, kind: .endsElsewhere)
        #expect(try await premises.audit().findings == [finding])
    }

    @Test func `SEC-50: finds a trail that was cut together with its head, with the journal only`()
        async throws
    {
        let count = UInt64(records.count)
        try premises.tamper(
            """
            DELETE FROM audit WHERE sequence = \(count);
            UPDATE verifier SET audit_sequence = \(count - 1),
                audit_moment = (SELECT moment FROM audit WHERE sequence = \(count - 1)),
                audit_hash = (SELECT hash FROM audit WHERE sequence = \(count - 1));
            """
        )
        let report = try await premises.audit(againstJournal: true)
        #expect(report.findings.last?.sequence == count)
        guard case .forked = report.findings.last?.kind else { throw Bank.Unexpected() }
    }

    @Test func `SEC-50: finds a recomputed trail with the journal only`() async throws {
        let (store, ring) = (try premises.openStore(), KeyRing(premises.keys))
        try await store.write { connection throws(StoreFailure) in
            let ledger = Ledger(connection, ring)
            _ = try ledger.state()
            try connection.run(Self.deleteTail, [.integer(3)])
            try connection.run(Self.resetHead, [])
            try connection.run(Self.deleteDeliveries, [])
            var head = AuditHead(records[2])
            for record in records[3...] {
                let moment = record.moment + .milliseconds(1)
                head = try ledger.record([record.event], by: record.actor, at: moment, after: head)
            }
        }
        await store.close()
        let contradictions = try await premises.audit().findings
        #expect(contradictions.allSatisfy { $0.kind != .brokenLink })
        let report = try await premises.audit(againstJournal: true)
        guard case .forked = report.findings.last?.kind else { throw Bank.Unexpected() }
    }

    private static let deleteTail = Statement("DELETE FROM audit WHERE sequence > $1")
    private static let deleteDeliveries = Statement("DELETE FROM outbox")
    private static let resetHead = Statement("UPDATE verifier SET audit_sequence = 3")

    @Test(arguments: [
        "UPDATE devices SET status = 1 WHERE status = 3",
        "UPDATE devices SET status = 1 WHERE status = 2",
        "UPDATE credentials SET blocked = 0 WHERE blocked = 1",
        "UPDATE credentials SET generation = 0 WHERE generation = 1",
        "UPDATE credentials SET generation = 7 WHERE generation = 1",
        "UPDATE credentials SET status = 1 WHERE status = 2",
        "UPDATE transactions SET state = 0, closed = NULL, device = NULL, detail = NULL",
        "UPDATE transactions SET state = 3, device = NULL, detail = NULL WHERE state = 1",
        "UPDATE transactions SET detail = 'biometric' WHERE state = 1",
        "UPDATE transactions SET closed = closed + 1 WHERE state = 1",
        "UPDATE transactions SET state = 4, closed = 5 WHERE state = 0",
        "UPDATE activations SET state = 2",
    ])
    func `names a row that contradicts its record`(_ statement: String) async throws {
        try premises.tamper(statement)
        let findings = try await premises.audit().findings
        #expect(!findings.isEmpty)
        for finding in findings {
            guard case .contradicted = finding.kind else { throw Bank.Unexpected() }
        }
    }

    @Test func `reads one state while decisions continue`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let deciding = Task {
            for _ in 1...50 {
                let attempt = try await phone.attempt(over: .pinCheck, in: bank)
                #expect(try await bank.verifier.checkPIN(attempt) == .accepted(nil))
                try await bank.setEnabled(false, phone)
                try await bank.setEnabled(true, phone)
            }
        }
        for _ in 1...20 {
            let report = try await AuditVerification.run(over: KeyedStore(bank.database))
            #expect(report.findings == [])
        }
        try await deciding.value
    }

    @Test func `accepts a journal that grows during the verification`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let journal = try JournalFile(
            premises.journalPath,
            signedBy: premises.auditKey.publicKey
        )
        let changed = DispatchSemaphore(value: 0)
        let change: @Sendable (AuditProgress) -> Void = { progress in
            guard case .records = progress else { return }
            Task {
                defer { changed.signal() }
                try await bank.setEnabled(false, phone)
            }
            #expect(changed.wait(timeout: .now() + 60) == .success)
        }
        let report = try await AuditVerification.run(
            over: KeyedStore(bank.database),
            against: journal,
            progress: change
        )
        #expect(report.findings == [])
        #expect(try await bank.count(of: .credentialDisabled) == 1)
    }

    @Test(arguments: [
        "DELETE FROM audit WHERE sequence >= 20",
        "UPDATE verifier SET audit_sequence = audit_sequence + 1",
        "UPDATE verifier SET audit_hash = (SELECT hash FROM audit WHERE sequence = 4)",
    ])
    func `SEC-50: an export of a broken trail reports its first broken record`(
        _ statement: String
    ) async throws {
        try premises.tamper(statement)
        let store = try premises.openStore()
        var export = try await AuditExport(of: KeyedStore(store), after: 3)
        var lineCount = 0
        while let lines = try await export.next() { lineCount += lines.count { $0 == 10 } }
        await store.close()
        let isCut = statement.hasPrefix("DELETE")
        #expect(lineCount == (isCut ? 19 : records.count) - 3)
        let last = UInt64(records.count)
        let broken = isCut ? 20 : statement.contains("+ 1") ? last + 1 : last
        #expect(export.firstBroken == broken)
    }

    @Test func `an export has one JSON object per line, which decodes to the record`()
        async throws
    {
        let store = try premises.openStore()
        var exported: [UInt8] = []
        var export = try await AuditExport(of: KeyedStore(store))
        while let lines = try await export.next() { exported += lines }
        await store.close()
        let lines = exported.split(separator: UInt8(ascii: "\n"))
        #expect(try lines.map { try AuditRecord(exported: Array($0)) } == records)
        #expect(exported.last == UInt8(ascii: "\n"))
    }
}
