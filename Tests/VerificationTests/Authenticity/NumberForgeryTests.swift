import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// An attacker without keys replaces the sealed number that a person must type.
///
/// With a number that the attacker knows, a person would approve without the bank's screen.
@Suite(.onEveryStore) struct `A forged number of a transaction` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    /// The number that the attacker has seen, of an earlier transaction of the same account.
    private let known: TypedNumber
    private let payment: Transaction
    private let number: TypedNumber

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin(policy: #"{"numberMatchingDigits": 6}"#)
        phone = try await bank.activate()
        let (other, _) = try await bank.activate("4713")
        _ = try await bank.payShowingNumber(from: other)
        known = try await bank.payShowingNumber().1.unwrapped()
        bank.clock.advance(by: .seconds(1))
        let (payment, number) = try await bank.payShowingNumber()
        self.payment = payment
        self.number = try number.unwrapped()
    }

    private static let values = [
        "NULL", "CAST('' AS BLOB)", "CAST('bad' AS BLOB)",
        "(SELECT number FROM transactions WHERE account_id = '4713')",
        "(SELECT number FROM transactions WHERE account_id = '4711' ORDER BY created LIMIT 1)",
        "(SELECT seed FROM credentials ORDER BY seed LIMIT 1)",
    ]

    private var row: String { "transactions id=\(payment.id)" }

    private func forge(_ value: String) throws {
        let edit = "UPDATE transactions SET number = \(value) WHERE id = '\(payment.id)'"
        try premises.tamper(premises.inEngine(edit))
    }

    private func expectForgery(_ use: () async throws -> Void) async {
        let failure = await #expect(throws: Verifier.Failure.self) { try await use() }
        #expect(failure == .store(.forged(row: row)))
    }

    @Test(arguments: values)
    func `SEC-32, SEC-101: is rejected at the decision, and an alarm`(
        _ value: String
    ) async throws {
        try forge(value)
        for number in [known, number, nil] {
            await expectForgery {
                try await phone.decide(on: payment, number: number, in: bank)
            }
        }
        #expect(bank.verifier.forgeries.count == 1)
        try await bank.verifier.recordForgeries()
        #expect(try await bank.count(of: .rowForged) == 1)
        #expect(try await bank.count(of: .transactionApproved) == 0)
    }

    @Test(arguments: values)
    func `SEC-32, SEC-101: is shown neither to the device nor to the bank`(
        _ value: String
    ) async throws {
        try forge(value)
        await expectForgery {
            _ = try await bank.verifier.transaction(payment.id, for: phone.id)
        }
        await expectForgery {
            _ = try await bank.verifier.readNumber(for: payment.id, of: Bank.account, by: Bank.core)
        }
    }

    @Test(arguments: values)
    func `SEC-101: is found by an audit with the keys`(_ value: String) async throws {
        await bank.database.close()
        #expect(try await premises.audit(withKeys: true).findings == [])
        try forge(value)
        let findings = try await premises.audit(withKeys: true).findings
        #expect(findings.map(\.kind.row) == [row])
    }

    @Test func `the right number is accepted without an edit`() async throws {
        #expect(known != number)
        let result = try await phone.decide(on: payment, number: number, in: bank)
        #expect(result == .accepted(nil))
        #expect(bank.verifier.forgeries.count == 0)
    }
}
