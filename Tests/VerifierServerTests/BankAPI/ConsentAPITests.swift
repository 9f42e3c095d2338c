import BankIntegration
import StoreTesting
import Testing
import TransactionApproval
import Verification
import VerifierServer
import VerifierWorld

@Suite(.onAnyStore, .described) struct `A request of the bank for consent alone` {
    @Test func `SEC-107: is refused with a rule of its own after the ceiling, and creates nothing`()
        async throws
    {
        let client = try await BankClient(policy: Bank.consentPolicy(consecutive: 1))
        let phone = try await client.bank.activate()
        let target = BankClient.account + "/transactions"
        func request(_ minorUnits: Int, key: String) async throws -> CompleteResponse {
            try await client.call(
                "POST",
                target,
                """
                {"context":"payment","title":"Transfer","authentication":["consent"],
                "amounts":[{"currency":"EUR","minorUnits":\(minorUnits)}],
                "payees":[{"name":"Grocer","account":"DE89370400440532013000"}]}
                """,
                key: key
            )
        }
        #expect(try await request(1, key: "one").status == 201)
        let payment = try await client.bank.pendingTransaction(of: phone)
        let result = try await phone.decide(on: payment, by: .consent, in: client.bank)
        #expect(result == .accepted(nil))
        let refused = try await request(1, key: "two")
        #expect(refused.status == 422)
        #expect(
            refused.errors.map(\.detail) == [
                "Consent is used up until the person uses PIN or biometrics. "
                    + "For this content the policy allows: userPIN."
            ]
        )
        #expect(refused.errors.map(\.rule) == ["consentExhausted"])
        #expect(refused.errors.map(\.pointer) == ["/authentication"])
        #expect(refused.errors.map(\.value) == ["consent"])
        let list = try await client.call("GET", target)
        #expect(list["transactions.1.id"] == nil)
        // Above the ceiling of one payment, consent is never enough: this is another rule.
        #expect(try await request(30_01, key: "three").errors.map(\.rule) == ["authentication"])
        #expect(try await phone.checkPIN(in: client.bank) == .accepted(nil))
        #expect(try await request(1, key: "four").status == 201)
    }
}
