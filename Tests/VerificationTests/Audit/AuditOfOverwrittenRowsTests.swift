import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker with the encryption keys restores or adds a row, and then the verifier itself writes to
/// the row.
@Suite(.onEveryStore) struct `An audit of overwritten rows` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    private func tamper(_ statement: String, with bank: Bank) async throws -> Bank {
        await bank.database.close()
        try await premises.tamperWithKeys(statement)
        return try await premises.open()
    }

    /// The findings of an audit after the verifier's last change.
    private func findings(of bank: Bank) async throws -> [AuditFinding] {
        await bank.database.close()
        return try await premises.audit().findings
    }

    /// The finding that the last record overwrote a changed row.
    private func overwriting(_ row: String, in bank: Bank) async throws -> [AuditFinding] {
        let last = try await bank.read { ledger throws(StoreFailure) in
            try ledger.state().audit.sequence
        }
        return [AuditFinding(sequence: last, kind: .wroteOver(row: row))]
    }

    @Test func `SEC-04: names a counter that was reset and has increased again`() async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        let code = try await phone.attempt(over: .pinCheck, in: bank)
        #expect(try await bank.verifier.checkPIN(code) == .accepted(nil))
        #expect(try await phone.checkPIN(in: bank) == .accepted(nil))
        bank = try await tamper("UPDATE credentials SET counter = 0 WHERE kind = 1", with: bank)
        #expect(try await bank.verifier.checkPIN(try code.withNewID()) == .accepted(nil))
        let expected = try await overwriting("credentials device=\(phone.id) kind=1", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `SEC-10: names a failure count that was reset and has increased again`() async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        for _ in 1...4 { try await phone.checkPIN(with: .wrong, in: bank) }
        bank = try await tamper(
            "UPDATE credentials SET consecutive_failures = 0 WHERE kind = 1",
            with: bank
        )
        #expect(try await phone.checkPIN(with: .wrong, in: bank) == .wrong(left: 4))
        let expected = try await overwriting("credentials device=\(phone.id) kind=1", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `names a transaction that was reopened and decided again`() async throws {
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
            try await findings(of: bank).map(\.kind).contains(.wroteOver(row: row))
        )
    }

    @Test(arguments: [
        "UPDATE logins SET redeemed = NULL",
        """
        UPDATE logins SET redeemed = NULL, id = substr(id, 1, 10)
            || CASE substr(id, 11, 1) WHEN 'B' THEN 'C' ELSE 'B' END || substr(id, 12)
        """,
    ])
    func `names a login that was redeemed twice, and a login that was never granted`(
        _ forgery: String
    ) async throws {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        guard
            case .accepted(let login?) = try await phone.logIn(in: bank),
            case .redeemed = try await bank.redeem(login)
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

    @Test func `names a device that was revoked, activated by an attacker and revoked again`()
        async throws
    {
        var bank = try await premises.begin()
        let phone = try await bank.activate()
        #expect(try await bank.revoke(phone) == .done)
        bank = try await tamper("UPDATE devices SET status = 1", with: bank)
        #expect(try await bank.revoke(phone) == .done)
        let expected = try await overwriting("devices id=\(phone.id)", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `names accounts that were deleted and added again, or inserted and linked`()
        async throws
    {
        let name = "accounts enterprise=bank type=main id="
        var bank = try await premises.begin()
        _ = try await bank.addAccount("4712")
        bank = try await tamper("DELETE FROM accounts WHERE id = '4712'", with: bank)
        _ = try await bank.addAccount("4712")
        let deleted = try await overwriting(name + "4712", in: bank)
        bank = try await tamper(
            "INSERT INTO accounts (enterprise, type, id) VALUES ('bank', 'main', '4713')",
            with: bank
        )
        let inserted = Bank.account("4713").key
        #expect(try await bank.verifier.link(Bank.account, to: inserted, by: Bank.core) == .done)
        let linked = try await overwriting(name + "4713", in: bank)
        let findings = try await findings(of: bank)
        #expect(findings == deleted + linked, "\(findings)")
    }

    @Test func `names a policy that an attacker had weakened`() async throws {
        var bank = try await premises.begin(policy: #"{"devicesPerAccount": 2}"#)
        bank = try await tamper(
            #"UPDATE enterprises SET policy = '{"devicesPerAccount": 9}'"#,
            with: bank
        )
        let policy = #"{"devicesPerAccount": 1}"#
        let result = try await bank.verifier.setPolicy(
            policy,
            of: Bank.account.enterprise,
            by: Bank.core
        )
        #expect(result == .done)
        let expected = try await overwriting("enterprises id=bank", in: bank)
        #expect(try await findings(of: bank) == expected)
    }

    @Test func `names an activation whose deadline was changed before its use`() async throws {
        var bank = try await premises.begin()
        let issued = try await bank.issue()
        bank = try await tamper("UPDATE activations SET deadline = deadline + 1", with: bank)
        let phones = [try bank.phone()]
        let submitted = try phones[0].claim(issued.id, issued.code)
        let commit = try await bank.offered(submitted, to: phones, issued.code)
        try await bank.complete(commit)
        let row = "activations id=\(issued.id)"
        #expect(try await findings(of: bank).map(\.kind).contains(.wroteOver(row: row)))
    }
}

extension Bank {
    fileprivate func redeem(_ login: TransactionID) async throws -> RedemptionResult {
        try await verifier.redeemLogin(
            login,
            of: Self.account,
            over: Phone.challenge,
            by: Self.core
        )
    }
}
