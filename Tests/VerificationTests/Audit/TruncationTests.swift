import TestSupport
import Testing
import VerifierWorld

@testable import Storage
@testable import Verification

@Suite(.onEveryStore) struct `A trail that was cut together with its head` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    /// The journal signs lines at certain events and once a minute, so it does not sign each record.
    ///
    /// The finding names the last signed record that the trail still contains.
    @Test(arguments: [1, 3, 5] as [UInt64])
    func `SEC-50: contradicts the journal after the last signed record`(
        _ lost: UInt64
    ) async throws {
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await bank.journalNow()
        let signed = try await bank.auditEnd()
        for _ in 1...5 { try await phone.checkPIN(in: bank) }
        try await bank.journalNow()
        let end = try await bank.auditEnd()
        await bank.database.close()
        #expect(end == signed + 5)
        try premises.tamper(
            """
            DELETE FROM audit WHERE sequence > \(end - lost);
            UPDATE verifier SET audit_sequence = \(end - lost),
                audit_moment = (SELECT moment FROM audit WHERE sequence = \(end - lost)),
                audit_hash = (SELECT hash FROM audit WHERE sequence = \(end - lost));
            """
        )
        let report = try await premises.audit(againstJournal: true)
        let finding = try #require(
            report.findings.first { finding in
                if case .forked = finding.kind { true } else { false }
            }
        )
        #expect(finding.kind == .forked(after: signed))
        #expect(finding.sequence == end)
    }
}
