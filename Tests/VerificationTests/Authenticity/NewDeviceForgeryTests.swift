import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// A thief has a new device of the person, and writes to the database or has the bank's programs.
@Suite(.onEveryStore) struct `The wait of a new device` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    private let thief: Phone
    private let linked: AccountReference

    /// The earlier device is on a linked account only.
    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(
            policy: Bank.waitingPolicy.dropLast() + #", "linksAccounts": false}"#
        )
        linked = try await bank.addLinkedAccount("4712")
        phone = try await bank.activate(linked)
        bank.clock.advance(by: .seconds(1))
        thief = try await bank.activate()
        try await expectWait()
    }

    private func expectWait() async throws {
        let payment = try await bank.pay()
        let result = try await thief.decide(on: payment, in: bank)
        guard case .refused(.deviceWaiting) = result else {
            Issue.record("\(result)")
            return
        }
        _ = try await bank.verifier.withdraw(payment.id, of: Bank.account, by: Bank.core)
    }

    private func link() async throws {
        let result = try await bank.verifier.link(Bank.account, to: linked.key, by: Bank.core)
        #expect(result == .done)
    }

    private func unlink() async throws {
        let result = try await bank.verifier.unlink(linked.key, from: Bank.account, by: Bank.core)
        #expect(result == .done)
    }

    @Test func `SEC-117: ends neither with an unlink of the accounts nor with a new link`()
        async throws
    {
        try await unlink()
        try await expectWait()
        try await link()
        try await expectWait()
        bank.clock.advance(by: .seconds(24 * 60 * 60))
        #expect(try await thief.decide(on: try await bank.pay(), in: bank) == .accepted(nil))
    }

    @Test func `SEC-117: a link does not make the first device of an account wait`() async throws {
        try await unlink()
        let (other, first) = try await bank.activate("4713")
        #expect(try await bank.verifier.link(linked, to: other.key, by: Bank.core) == .done)
        let payment = try await bank.pay(from: other)
        #expect(try await first.decide(on: payment, in: bank) == .accepted(nil))
    }

    @Test func `SEC-117: moves to the account that replaces the device's account`() async throws {
        try await unlink()
        let new = Bank.account("4719")
        #expect(try await bank.verifier.replace(Bank.account, by: new.key, by: Bank.core) == .done)
        let result = try await thief.decide(on: try await bank.pay(from: new), in: bank)
        guard case .refused(.deviceWaiting) = result else { throw Bank.Unexpected() }
    }

    @Test func `SEC-101, SEC-117: does not end if the rows of the earlier device are deleted`()
        async throws
    {
        try premises.tamper(
            """
            DELETE FROM credentials WHERE device = (SELECT id FROM devices WHERE waits = 0);
            DELETE FROM devices WHERE waits = 0
            """
        )
        try await expectWait()
        await bank.database.close()
        let missing = AuditFinding.Kind.missing(row: "devices id=\(phone.id)")
        #expect(try await premises.audit().findings.map(\.kind).contains(missing))
    }

    @Test func `SEC-101, SEC-117: does not end if the earlier account is hidden`() async throws {
        try premises.tamper("UPDATE accounts SET person = NULL WHERE id = '4712'")
        try await expectWait()
    }

    @Test(
        arguments: [
            "waits = 0", "waits = NULL", "activated = 0",
            "waits = 0, tag = (SELECT tag FROM devices WHERE waits = 0)",
            "activated = (SELECT activated FROM devices WHERE waits = 0)",
            "token_suite = 'OCRA-1:HOTP-SHA256-8:QN08', public_key = NULL, waits = NULL",
        ]
    )
    func `SEC-101, SEC-117: cannot be forged, and an audit finds it`(
        _ change: String
    ) async throws {
        let payment = try await bank.pay()
        let approval = try InBandQuestion.approval(of: payment)
        let attempt = try await thief.attempt(over: approval, in: bank)
        try premises.tamper("UPDATE devices SET \(change) WHERE waits = 1")
        await expectForgery(of: payment, attempt, on: thief)
        await bank.database.close()
        // Also if the attacker has the keys.
        try await premises.tamperWithKeys("SELECT 1 WHERE 1 = 0")
        let row = "devices id=\(thief.id)"
        #expect(try await premises.audit().findings.map(\.kind.row) == [row])
    }

    /// The person's first device cannot be stopped either.
    @Test func `SEC-101, SEC-117: cannot be added to a first device`() async throws {
        let payment = try await bank.pay(from: linked)
        let approval = try InBandQuestion.approval(of: payment)
        let attempt = try await phone.attempt(over: approval, in: bank)
        for change in ["waits = 1", "waits = NULL"] {
            try premises.tamper("UPDATE devices SET \(change) WHERE waits = 0")
            await expectForgery(of: payment, attempt, on: phone)
            try premises.tamper(
                "UPDATE devices SET waits = 0 WHERE activated = (SELECT min(activated) FROM devices)"
            )
        }
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }

    @Test(
        arguments: [
            "waiting_amounts = NULL",
            "waiting_amounts = (SELECT waiting_amounts FROM devices WHERE waits = 0)",
        ]
    )
    func `SEC-101, SEC-117: has a sum that cannot be lowered, and an audit finds it`(
        _ change: String
    ) async throws {
        #expect(try await thief.decide(on: try await bank.pay(30_00), in: bank) == .accepted(nil))
        let payment = try await bank.pay(30_00)
        let approval = try InBandQuestion.approval(of: payment)
        let attempt = try await thief.attempt(over: approval, in: bank)
        try premises.tamper("UPDATE devices SET \(change) WHERE waits = 1")
        await expectForgery(of: payment, attempt, on: thief)
        await bank.database.close()
        try await premises.tamperWithKeys("SELECT 1 WHERE 1 = 0")
        let row = "devices id=\(thief.id)"
        #expect(try await premises.audit().findings.map(\.kind.row) == [row])
    }

    @Test func `SEC-101, SEC-117: has a sum that an earlier row does not lower`() async throws {
        try premises.keepRows(of: .devices)
        #expect(try await thief.decide(on: try await bank.pay(30_00), in: bank) == .accepted(nil))
        let payment = try await bank.pay(30_00)
        let approval = try InBandQuestion.approval(of: payment)
        let attempt = try await thief.attempt(over: approval, in: bank)
        try premises.putBackRows(of: .devices)
        await expectForgery(of: payment, attempt, on: thief)
        await bank.database.close()
        let row = "devices id=\(thief.id)"
        #expect(try await premises.audit().findings.map(\.kind.row).contains(row))
    }

    private func expectForgery(
        of payment: Transaction,
        _ attempt: Attempt,
        on device: Phone
    ) async {
        let failure = await #expect(throws: Verifier.Failure.self) {
            try await device.send(on: payment, attempt, to: bank.verifier)
        }
        guard case .store(let reason)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.isForgery)
    }
}
