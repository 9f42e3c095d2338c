import Cryptography
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker has an activation with its code for their own account, and writes to the database.
@Suite(.onEveryStore) struct `A forged claim` {
    private static let own = Bank.account("4799")
    private static let otherEnterprise = EnterpriseID(checked: "other")

    /// The account of another person, and the attacker's own account id in another enterprise.
    private static let victims = [
        Bank.account, AccountReference(enterprise: otherEnterprise, key: own.key),
    ]

    private let premises: Premises
    private let bank: Bank

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        try await bank.verifier.addEnterprise(
            Self.otherEnterprise,
            policy: "{}",
            by: .operatorCommand
        )
        for account in [Self.own, Self.victims[1]] {
            #expect(try await bank.verifier.addAccount(account, by: Bank.core) == .done)
        }
    }

    /// The statement that changes the offer of a claim, and the commit over the changed offer.
    private func attack(
        on victim: AccountReference
    ) async throws -> (statement: String, commit: ActivationCommit) {
        let issued = try await bank.issue(for: Self.own)
        let phone = try bank.phone()
        let submitted = try phone.claim(issued.id, issued.code)
        guard case .offered(let offer, _) = try await bank.verifier.claim(submitted) else {
            throw Bank.Unexpected()
        }
        let place = offer.enrolments[0]
        let forged = try #require(
            ActivationOffer(
                enterprise: victim.enterprise,
                epoch: offer.epoch,
                policy: offer.policy,
                enrolments: [
                    .init(
                        account: victim.key,
                        userCredential: place.userCredential,
                        deviceCredential: place.deviceCredential
                    )
                ]
            )
        )
        let mac = try await mac(of: forged, submitted, issued.code)
        let bytes = TextEncoding.hexadecimal.encode(forged.bytes.span)
        let value = bank.database is SQLiteDatabase ? "x'\(bytes)'" : "'\\x\(bytes)'"
        return (
            "UPDATE activations SET claim_offer = \(value) WHERE closed IS NULL",
            try phone.commit(submitted, forged, mac: mac, issued.code)
        )
    }

    /// The attacker knows the code, and so the key of the session.
    private func mac(
        of offer: ActivationOffer,
        _ submitted: SubmittedClaim,
        _ code: borrowing ActivationCode
    ) async throws -> Digest {
        guard let session = try await bank.verifier.session(of: submitted, code) else {
            throw Bank.Unexpected()
        }
        return try bank.verifier.enrolment(session, offer).offerMAC
    }

    @Test(arguments: victims)
    func `SEC-53, SEC-101: enrols no device for another account`(
        _ victim: AccountReference
    ) async throws {
        let (statement, commit) = try await attack(on: victim)
        try premises.tamper(statement)
        await expectForgery { _ = try await bank.verifier.commit(commit) }
        #expect(try await bank.verifier.devices(of: victim)?.isEmpty == true)
    }

    @Test(arguments: victims)
    func `SEC-53: enrols no device for another account, even with a valid tag`(
        _ victim: AccountReference
    ) async throws {
        let (statement, commit) = try await attack(on: victim)
        await bank.database.close()
        try await premises.tamperWithKeys(statement)
        let reopened = try await premises.open()
        #expect(try await reopened.verifier.commit(commit) == .refused(.activation(.superseded)))
        #expect(try await reopened.verifier.devices(of: victim)?.isEmpty == true)
        await reopened.database.close()
    }

    @Test(arguments: ["claim_offer = NULL", "claim_digest = code", "claim_digest = NULL"])
    func `SEC-101: is rejected at its next use`(_ change: String) async throws {
        let (_, commit) = try await attack(on: Bank.account)
        try premises.tamper("UPDATE activations SET \(change) WHERE closed IS NULL")
        await expectForgery { _ = try await bank.verifier.commit(commit) }
    }

    @Test func `SEC-53, SEC-101: cannot put an unlinked account back into an offer`() async throws {
        let other = try await bank.addLinkedAccount("4712")
        let issued = try await bank.issue()
        let phones = [try bank.phone(), try bank.phone()]
        let claim = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(claim, to: phones, issued.code)
        try premises.keepRows(of: .activations)
        _ = try await bank.verifier.unlink(other.key, from: Bank.account, by: Bank.core)
        try premises.putBackRows(of: .activations)
        await expectForgery { _ = try await bank.verifier.commit(commit) }
        await bank.database.close()
        // Another process has not seen the later row.
        let reopened = try await premises.open()
        #expect(try await reopened.verifier.commit(commit) == .refused(.activation(.superseded)))
        let again = try await reopened.offered(claim, to: phones, issued.code)
        #expect(again.enrolments.count == 1)
        try await reopened.complete(again)
        #expect(try await reopened.verifier.devices(of: other)?.isEmpty == true)
        await reopened.database.close()
    }

    @Test func `SEC-53: an offer of linked accounts ends with a policy that does not link them`()
        async throws
    {
        _ = try await bank.addLinkedAccount("4712")
        let issued = try await bank.issue()
        let phones = [try bank.phone(), try bank.phone()]
        let claim = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(claim, to: phones, issued.code)
        try await bank.verifier.setPolicy(
            #"{"linksAccounts": false}"#,
            of: Bank.enterprise,
            by: Bank.core
        )
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(.superseded)))
        let again = try await bank.offered(claim, to: phones, issued.code)
        #expect(again.enrolments.count == 1)
        try await bank.complete(again)
    }

    /// Otherwise a stolen code stays valid after the bank issued another one.
    @Test func `SEC-53, SEC-101: an open activation cannot be hidden while the next one is issued`()
        async throws
    {
        let stolen = try await bank.issue()
        try premises.tamper("UPDATE activations SET state = 1, closed = issued")
        await expectForgery { _ = try await bank.issue() }
        try premises.tamper("UPDATE activations SET state = 0, closed = NULL")
        _ = try await bank.issue()
        let claim = try bank.phone().claim(stolen.id, stolen.code)
        #expect(try await bank.verifier.claim(claim) == .refused(.codeInvalid))
    }

    /// Neither the next activation nor the audits meanwhile see it.
    @Test(arguments: [false, true])
    func `SEC-53, SEC-101: an open activation cannot be put back after the next one was issued`(
        _ isUsed: Bool
    ) async throws {
        let stolen = try await bank.issue()
        let phone = try bank.phone()
        let earlier = try phone.claim(stolen.id, stolen.code)
        let commit = try await bank.offered(earlier, to: [phone], stolen.code)
        try premises.tamper(
            """
            CREATE TABLE kept AS SELECT * FROM activations;
            DELETE FROM activations
            """
        )
        bank.clock.advance(by: .milliseconds(1))
        if isUsed { _ = try await bank.activate() } else { _ = try await bank.issue() }
        try premises.tamper(
            """
            INSERT INTO activations SELECT * FROM kept;
            DROP TABLE kept
            """
        )
        let row = "activations id=\(stolen.id)"
        let report = try await AuditVerification.run(over: KeyedStore(bank.database))
        #expect(report.findings == [AuditFinding(sequence: 0, kind: .followed(row: row))])
        let claim = try bank.phone().claim(stolen.id, stolen.code)
        #expect(try await bank.verifier.claim(claim) == .refused(.codeInvalid))
        #expect(try await bank.verifier.commit(commit) == .refused(.activation(.codeInvalid)))
    }

    private func expectForgery(_ use: () async throws -> Void) async {
        let failure = await #expect(throws: Verifier.Failure.self) { try await use() }
        guard case .store(let failure)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failure.isForgery)
    }
}
