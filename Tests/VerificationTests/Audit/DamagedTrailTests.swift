import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker without keys breaks one audit record, so that no audit compares rows with the trail.
@Suite(.onEveryStore) struct `A damaged audit trail` {
    private let scene: ForgeryScene
    private var premises: Premises { scene.premises }

    init() async throws {
        scene = try await ForgeryScene()
    }

    /// An edit of the trail, and the first finding about it.
    struct Damage: CustomTestStringConvertible, Sendable {
        let edit: String
        let sequence: UInt64
        let kind: AuditFinding.Kind

        var testDescription: String { edit }

        init(_ edit: String, _ sequence: UInt64, _ kind: AuditFinding.Kind) {
            (self.edit, self.sequence, self.kind) = (edit, sequence, kind)
        }
    }

    private static let damages = [
        Damage("UPDATE audit SET detail = 'x' WHERE sequence = 5", 5, .brokenLink),
        Damage("UPDATE audit SET kind = 'unheard-of' WHERE sequence = 5", 5, .malformed),
        Damage("DELETE FROM audit WHERE sequence = 5", 5, .outOfSequence),
        Damage("DELETE FROM audit WHERE sequence = 1", 1, .outOfSequence),
        Damage("UPDATE audit SET sequence = -1 WHERE sequence = 5", 1, .outOfSequence),
        Damage("DELETE FROM audit WHERE sequence >= 20", 20, .endsElsewhere),
    ]

    /// Activates the revoked device again, and forges a token.
    private func forgeRows() throws {
        try premises.tamper("UPDATE devices SET status = 1")
        try premises.tamper("UPDATE bank_tokens SET role = 'administrator' WHERE name = 'auditor'")
    }

    private func expectForgedRows(_ rows: [String]) {
        #expect(rows.contains("devices id=\(scene.revoked.id)"), "\(rows)")
        #expect(rows.contains { $0.hasPrefix("bank_tokens id=") }, "\(rows)")
    }

    @Test(arguments: damages)
    func `SEC-50, SEC-101: does not hide a forged device and a forged token from an audit`(
        _ damage: Damage
    ) async throws {
        await scene.bank.database.close()
        try forgeRows()
        try premises.tamper(damage.edit)
        let report = try await premises.audit(withKeys: true)
        #expect(report.findings.first == .init(sequence: damage.sequence, kind: damage.kind))
        expectForgedRows(report.findings.compactMap(\.kind.row))
        #expect(!report.isComplete)
        #expect(report.checked == damage.sequence - 1)
    }

    @Test(arguments: damages)
    func `SEC-101: raises the alarm in the background audit, which is not complete`(
        _ damage: Damage
    ) async throws {
        let audit = try premises.backgroundAudit(of: scene.bank)
        let begun = ContinuousClock.now
        try forgeRows()
        try premises.tamper(damage.edit)
        let damaged = ContinuousClock.now
        try await audit.run()
        #expect(audit.age >= damaged - begun)
        let rows = scene.bank.verifier.forgeries.takeUnrecorded()
        expectForgedRows(rows)
        #expect(rows.contains("audit sequence=\(damage.sequence)"), "\(rows)")
    }

    @Test func `an audit of an unbroken trail is complete, also with forged rows`() async throws {
        let audit = try premises.backgroundAudit(of: scene.bank)
        try forgeRows()
        let begun = ContinuousClock.now
        try await audit.run()
        let age = audit.age
        #expect(age <= .now - begun)
        expectForgedRows(scene.bank.verifier.forgeries.takeUnrecorded())
        await scene.bank.database.close()
        let report = try await premises.audit(againstJournal: true, withKeys: true)
        #expect(report.isComplete && !report.isClean)
    }

    @Test func `does not hide a decision without a signature, or the mark of a backup`()
        async throws
    {
        await scene.bank.database.close()
        try premises.tamper(
            """
            UPDATE transactions SET evidence = NULL WHERE state = 1;
            UPDATE verifier SET is_backup = 1;
            DELETE FROM audit WHERE sequence = 5;
            """
        )
        let kinds = try await premises.audit().findings.map(\.kind)
        let row = "transactions id=\(scene.approved.id)"
        #expect(kinds.contains(.unproven(row: row)), "\(kinds)")
        #expect(kinds.contains(.unrestored), "\(kinds)")
        // Without a whole trail, no row is compared.
        #expect(!kinds.contains(.contradicted(row: row)), "\(kinds)")
    }

    @Test func `SEC-50: is compared with the journal, which proves only records before the break`()
        async throws
    {
        try await scene.bank.journalNow()
        await scene.bank.database.close()
        try premises.tamper("UPDATE audit SET detail = 'x' WHERE sequence = 5")
        let edited = try await premises.audit(againstJournal: true)
        #expect(edited.findings.map(\.kind) == [.brokenLink])
        #expect(edited.lastSigned.map { $0.sequence <= 4 } ?? true)
        try premises.tamper("DELETE FROM audit WHERE sequence >= 20")
        let cut = try await premises.audit(againstJournal: true)
        #expect(
            cut.findings.contains { finding in
                if case .forked = finding.kind { true } else { false }
            },
            "\(cut.findings)"
        )
    }

    @Test func `does not hide later records that another program wrote`() async throws {
        await scene.bank.database.close()
        try premises.tamper(
            """
            DELETE FROM audit WHERE sequence = 5;
            UPDATE audit SET detail = 'x' WHERE sequence IN (6, 9);
            UPDATE audit SET kind = 'unheard-of' WHERE sequence = 11;
            """
        )
        let gap = AuditFinding(sequence: 5, kind: .outOfSequence)
        let malformed = AuditFinding(sequence: 11, kind: .malformed)
        #expect(try await premises.audit().findings == [gap, malformed])
        let forged = [6, 9].map { number in
            AuditFinding(sequence: number, kind: .forged(row: "audit sequence=\(number)"))
        }
        #expect(try await premises.audit(withKeys: true).findings == [gap] + forged + [malformed])
    }
}
