import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker with the database and an unlocked device wants more consents.
@Suite(.onEveryStore) struct `A forged count of consents` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    private let linked: AccountReference

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(policy: Bank.consentPolicy(consecutive: 2))
        linked = try await bank.addLinkedAccount("4712")
        phone = try await bank.activateAll(Bank.account, 2)[0]
        #expect(try await bank.consents(1, on: phone))
    }

    @Test(
        arguments: [
            "UPDATE accounts SET consents = NULL",
            "UPDATE accounts SET consents = NULL, tag = (SELECT tag FROM accounts WHERE id = '4713')",
            "UPDATE accounts SET consents = (SELECT consents FROM accounts WHERE id = '4713')",
        ]
    )
    func `SEC-101, SEC-107: is rejected at the next request and decision`(
        _ edit: String
    ) async throws {
        let (other, stranger) = try await bank.activate("4713")
        #expect(try await bank.consents(2, from: other, on: stranger))
        #expect(try await stranger.checkPIN(in: bank) == .accepted(nil))
        let payment = try await bank.pay(1)
        try premises.tamper(edit + " WHERE id = '4711'")
        await expectForgery { _ = try await bank.pay(1) }
        await expectForgery { try await phone.decide(on: payment, by: .consent, in: bank) }
    }

    @Test func `SEC-101, SEC-107: an earlier row is rejected by the node that saw the later one`()
        async throws
    {
        try premises.keepRows(of: .accounts)
        #expect(try await bank.consents(1, on: phone))
        try premises.putBackRows(of: .accounts)
        await expectForgery { _ = try await bank.pay(1) }
    }

    @Test func `SEC-107: a hidden linked account does not lower the count of the others`()
        async throws
    {
        #expect(try await bank.consents(1, on: phone))
        try premises.tamper("UPDATE accounts SET person = NULL WHERE id = '4712'")
        #expect(try await !bank.consents(1, on: phone))
        await expectForgery { _ = try await bank.pay(1, from: linked) }
    }

    @Test(
        arguments: [
            "consents = NULL", "consents = (SELECT consents FROM accounts WHERE id = '4713')",
        ]
    )
    func `SEC-107: is found by an audit, also with the tags of the right keys`(
        _ change: String
    ) async throws {
        let (other, stranger) = try await bank.activate("4713")
        #expect(try await bank.consents(1, from: other, on: stranger))
        #expect(try await bank.consents(1, on: phone))
        await bank.database.close()
        for withKeys in [false, true] {
            #expect(try await premises.audit(withKeys: withKeys).findings == [])
        }
        try premises.tamper("UPDATE accounts SET \(change) WHERE id = '4711'")
        for withKeys in [false, true] {
            let findings = try await premises.audit(withKeys: withKeys).findings
            #expect(findings.map(\.kind.row) == [Self.row])
        }
        try await premises.tamperWithKeys("SELECT 1 WHERE 1 = 0")
        for withKeys in [false, true] {
            let findings = try await premises.audit(withKeys: withKeys).findings
            #expect(findings.map(\.kind.row) == [Self.row])
        }
    }

    private static let row = "accounts enterprise=bank type=main id=4711"

    private func expectForgery(_ use: () async throws -> Void) async {
        let failure = await #expect(throws: Verifier.Failure.self) { try await use() }
        guard case .store(let failure)? = failure, case .forged(let row) = failure.reason else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(row.hasPrefix("accounts "))
    }
}
