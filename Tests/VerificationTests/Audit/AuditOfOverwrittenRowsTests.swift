import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// What somebody puts back or puts in before the verifier itself writes to it.
@Suite(.onEveryStore) struct `An audit of rows that were written over` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    private func tamper(_ statement: String, with bank: Bank) async throws -> Bank {
        await bank.database.close()
        try premises.tamper(statement)
        return try await premises.open()
    }

    /// What the audit says of what the verifier did last.
    private func findings(of bank: Bank) async throws -> [AuditFinding] {
        await bank.database.close()
        return try await premises.audit().findings
    }

    private func wroteOver(_ row: String, in bank: Bank) async throws -> [AuditFinding] {
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        return [AuditFinding(sequence: last, fault: .wroteOver(row: row))]
    }

    @Test func `SEC-04: names a counter that was set back and has moved on again`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let code = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(code) == .accepted(nil))
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        bank = try await tamper("UPDATE credentials SET counter = 0 WHERE kind = 1", with: bank)
        #expect(try await bank.verifier.checkPIN(try code.anew()) == .accepted(nil))
        let expected = try await wroteOver("credentials device=\(phone.id) kind=1", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `SEC-10: names wrong codes that were forgiven and counted again`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        for _ in 1...4 { try await phone.checkPIN(with: .wrong, in: bank) }
        bank = try await tamper(
            "UPDATE credentials SET consecutive_failures = 0 WHERE kind = 1",
            with: bank
        )
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
        let expected = try await wroteOver("credentials device=\(phone.id) kind=1", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `names a transaction that was opened again and decided once more`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        bank = try await tamper(
            """
            UPDATE transactions SET state = 0, closed = NULL, device = NULL, detail = NULL,
                evidence = NULL
            """,
            with: bank
        )
        #expect(try await phone.decide(.reject(.notMe), on: payment, in: bank) == .accepted(nil))
        let row = "transactions id=\(payment.id)"
        #expect(
            try await findings(of: bank).map(\.fault).contains(.wroteOver(row: row))
        )
    }

    @Test(arguments: [
        "UPDATE logins SET redeemed = NULL",
        """
        UPDATE logins SET redeemed = NULL, id = substr(id, 1, 10)
            || CASE substr(id, 11, 1) WHEN 'B' THEN 'C' ELSE 'B' END || substr(id, 12)
        """,
    ])
    func `names a login that was redeemed twice, and one that nobody granted`(
        _ forgery: String
    ) async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        guard
            case .accepted(let grant?) = try await phone.logIn(in: bank),
            case .redeemed = try await bank.redeem(grant)
        else { throw Bank.Unexpected() }
        bank = try await tamper(forgery, with: bank)
        let forged = try await bank.read { ledger throws(StoreFailure) -> TransactionID? in
            try ledger.row(Statement("SELECT \([.id]) FROM logins"), [])?.identifier(
                .id
            )
        }
        guard case .redeemed = try await bank.redeem(try forged.unwrapped()) else {
            throw Bank.Unexpected()
        }
        #expect(try await findings(of: bank) != [])
    }

    @Test func `names a device that was revoked, made good and revoked again`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        #expect(try await bank.revoke(phone) == .done)
        bank = try await tamper("UPDATE devices SET status = 1", with: bank)
        #expect(try await bank.revoke(phone) == .done)
        let expected = try await wroteOver("devices id=\(phone.id)", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `names accounts that were taken out and added again, or put in and linked`()
        async throws
    {
        let name = "accounts enterprise=bank type=main id="
        var bank = try await premises.begin()
        _ = try await bank.addAccount("4712")
        bank = try await tamper("DELETE FROM accounts WHERE id = '4712'", with: bank)
        _ = try await bank.addAccount("4712")
        let taken = try await wroteOver(name + "4712", in: bank)
        bank = try await tamper(
            "INSERT INTO accounts (enterprise, type, id) VALUES ('bank', 'main', '4713')",
            with: bank
        )
        let put = Bank.account("4713").key
        #expect(try await bank.verifier.link(Bank.account, to: put, by: Bank.core) == .done)
        let linked = try await wroteOver(name + "4713", in: bank)
        let findings = try await findings(of: bank)
        #expect(findings == taken + linked, "\(findings)")
    }

    @Test func `names a policy that was laxer for a while`() async throws {
        var bank = try await premises.begin(policy: #"{"devicesPerAccount": 2}"#)
        bank = try await tamper(
            #"UPDATE enterprises SET policy = '{"devicesPerAccount": 9}'"#,
            with: bank
        )
        let policy = #"{"devicesPerAccount": 1}"#
        let answer = try await bank.verifier.setPolicy(
            policy,
            of: Bank.account.enterprise,
            by: Bank.core
        )
        #expect(answer == .done)
        let expected = try await wroteOver("enterprises id=bank", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `names an activation whose deadline was moved before it was used`() async throws {
        var bank = try await premises.begin()
        let issued = try await bank.issue()
        bank = try await tamper("UPDATE activations SET deadline = deadline + 1", with: bank)
        let phones = [try bank.phone()]
        let submitted = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: phones, issued.code)
        try await bank.complete(commit)
        let row = "activations id=\(issued.id)"
        #expect(try await findings(of: bank).map(\.fault).contains(.wroteOver(row: row)))
    }
}

extension Bank {
    fileprivate func redeem(_ grant: TransactionID) async throws -> RedemptionResult {
        try await verifier.redeemLogin(
            grant,
            of: Self.account,
            over: Phone.challenge,
            by: Self.core
        )
    }
}
