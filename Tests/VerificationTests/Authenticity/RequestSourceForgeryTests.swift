import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// A writer of the database changes whose limits count a request.
@Suite(.onEveryStore) struct `The source of a transaction` {
    @Test(arguments: [true, false])
    func `SEC-84, SEC-101: cannot be changed, and an audit finds it`(_ isCard: Bool) async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        let request = TransactionRequest(
            account: Bank.account,
            content: try .cardPayment(of: 1),
            source: isCard ? .cards : .bank
        )
        let result = try await bank.verifier.request(request, by: Bank.core)
        guard case .created(let payment, _) = result else { throw Bank.Unexpected() }
        let attempt = try await phone.attempt(over: .approval(of: payment), in: bank)
        try premises.tamper("UPDATE transactions SET source = \(isCard ? "NULL" : "1")")
        for body in [
            { _ = try await bank.verifier.request(request, by: Bank.core) },
            { _ = try await phone.send(on: payment, attempt, to: bank.verifier) },
        ] as [() async throws -> Void] {
            let failure = await #expect(throws: Verifier.Failure.self) { try await body() }
            guard case .store(let reason)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(reason.isForgery)
        }
        await bank.database.close()
        let row = "transactions id=\(payment.id)"
        #expect(try await premises.audit().findings.map(\.kind.row) == [row])
        // Also if the attacker has the keys.
        try await premises.tamperWithKeys("SELECT 1 WHERE 1 = 0")
        #expect(try await premises.audit().findings.map(\.kind.row) == [row])
    }
}
