import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

/// An attacker with the database wants to stop the verdicts about all purchases.
@Suite(.onEveryStore, .timeLimit(.minutes(5))) struct `A forged row of an awaited transaction` {
    private let premises: Premises
    private let bank: Bank
    private let phone: Phone
    /// A transaction of the account whose rows are forged.
    private let forged: Transaction
    /// A transaction that `phone` can approve.
    private let other: Transaction

    init() async throws {
        premises = try Premises()
        bank = try await premises.begin()
        _ = try await bank.activate()
        let account: AccountReference
        (account, phone) = try await bank.activate("4713")
        forged = try await bank.payByCard(from: Bank.account)
        other = try await bank.payByCard(from: account)
    }

    @Test(arguments: [
        "UPDATE transactions SET accepted_authentication = 7 WHERE account_id = '4711'",
        "UPDATE devices SET name = 'forged' WHERE account_id = '4711'",
        """
        UPDATE credentials SET consecutive_failures = 1 \
        WHERE device IN (SELECT id FROM devices WHERE account_id = '4711')
        """,
    ])
    func `does not hide the end of another one`(_ edit: String) async throws {
        #expect(try await ends([forged, other], within: .zero).isEmpty)
        try premises.tamper(edit)
        async let found = ends([forged, other], within: .seconds(120))
        try await phone.decide(on: other, in: bank)
        let ends = try await found
        #expect(ends.ended.map(\.transaction) == [other])
        #expect(ends.unapprovable.isEmpty && ends.unknown.isEmpty)
        #expect(bank.verifier.forgeries.count > 0)
    }

    @Test func `lets a call wait, also if it awaits no other one`() async throws {
        try premises.tamper("UPDATE transactions SET accepted_authentication = 7")
        let notifier = bank.verifier.notifier
        async let found = ends([forged], within: .seconds(120))
        try await waitUntil { !notifier.isIdle }
        notifier.end()
        #expect(try await found.isEmpty)
        try await waitUntil { notifier.isIdle }
    }

    private func ends(
        _ transactions: [Transaction],
        within timeout: Duration
    ) async throws -> TransactionEnds {
        try await bank.verifier.ends(
            among: Set(transactions.map(\.id)),
            of: Bank.enterprise,
            from: [.cards],
            within: timeout
        )
    }
}

extension Bank {
    fileprivate func payByCard(from account: AccountReference) async throws -> Transaction {
        let request = TransactionRequest(
            account: account,
            content: try .cardPayment(of: 47_11),
            source: .cards
        )
        guard case .created(let created, _) = try await verifier.request(request, by: Self.core)
        else { throw Unexpected() }
        return created
    }
}
