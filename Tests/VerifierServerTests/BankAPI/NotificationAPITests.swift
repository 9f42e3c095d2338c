import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

@Suite(.onAnyStore, .described) struct `The call for another notification` {
    private let client: BankClient
    private let phone: Phone
    private var bank: Bank { client.bank }

    init() async throws {
        client = try await BankClient()
        phone = try await client.bank.activate()
        try await want(pushesOn: phone)
    }

    private func want(pushesOn phone: Phone) async throws {
        _ = try await bank.verifier.setPush(.events, on: phone.id, attempt: .random())
    }

    private func notify(
        _ payment: Transaction,
        as role: BankToken.Role = .issuer,
        of account: String = BankClient.account
    ) async throws -> CompleteResponse {
        let target = "\(account)/transactions/\(payment.id)/notifications"
        return try await client.call("POST", target, as: role)
    }

    @Test func `SEC-33: reports when the next one is possible, and when none is left`()
        async throws
    {
        let payment = try await bank.pay()
        bank.clock.advance(by: .milliseconds(18_500))
        let soon = try await notify(payment)
        #expect(soon.status == 200)
        #expect(soon.text == #"{"notified":false,"reason":"tooSoon","retryAfterSeconds":12}"#)
        bank.clock.advance(by: .milliseconds(11_500))
        for _ in 1...2 {
            let notified = try await notify(payment)
            #expect((notified.status, notified.text) == (200, #"{"notified":true}"#))
            bank.clock.advance(by: .seconds(30))
        }
        #expect(try await notify(payment).text == #"{"notified":false,"reason":"tooOften"}"#)
        #expect(try await bank.count(of: .transactionNotified) == 2)
    }

    @Test func `reports that nothing notifies the person`() async throws {
        let payment = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        #expect(try await notify(payment).text == #"{"notified":false,"reason":"muted"}"#)
        let other = BankClient.enterprise + "/accounts/main/4712"
        let (account, _) = try await bank.activate("4712")
        let theirs = try await bank.pay(from: account)
        let none = try await notify(theirs, of: other)
        #expect(none.text == #"{"notified":false,"reason":"noDevice"}"#)
    }

    @Test func `is refused for a transaction that has ended, or that the account does not have`()
        async throws
    {
        let payments = [try await bank.pay(), try await bank.pay(), try await bank.pay()]
        try await phone.decide(on: payments[0], in: bank)
        _ = try await bank.verifier.withdraw(payments[1].id, of: Bank.account, by: Bank.core)
        bank.clock.advance(by: .seconds(120))
        let codes = [
            (409, "transactionAlreadyDecided"), (409, "transactionAlreadyDecided"),
            (410, "transactionExpired"),
        ]
        for (payment, (status, code)) in zip(payments, codes) {
            let refused = try await notify(payment)
            #expect((refused.status, refused.code) == (status, code))
        }
        let other = BankClient.enterprise + "/accounts/main/4712"
        #expect(try await notify(payments[0], of: other).status == 404)
    }

    @Test func `is allowed for the roles that create transactions`() async throws {
        let content = """
            {"context":"action","title":"Confirm your card","source":"cards"}
            """
        let target = BankClient.account + "/transactions"
        let card = try await client.call("POST", target, as: .cards, content, key: "one")
        let path = "\(target)/\(try card["id"].unwrapped())/notifications"
        bank.clock.advance(by: .seconds(30))
        let notified = try await client.call("POST", path, as: .cards)
        #expect(notified.text == #"{"notified":true}"#)
        #expect(try await client.call("POST", path)["reason"] == "tooSoon")
        let payment = try await bank.pay()
        for role in BankToken.Role.allCases where !role.scopes.contains(.transactions) {
            let status = try await notify(payment, as: role).status
            #expect(status == (role == .cards ? 404 : 403), "\(role)")
        }
    }
}
