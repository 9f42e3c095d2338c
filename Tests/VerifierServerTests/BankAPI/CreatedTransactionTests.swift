import Storage
import TestSupport
import Testing
import Verification
import VerifierWorld

@testable import VerifierServer

private let payment = """
    {"context":"payment","title":"Transfer",\
    "amounts":[{"currency":"EUR","minorUnits":4711},{"currency":"USD","minorUnits":100}],\
    "payees":[{"name":"Grocer","account":"DE89370400440532013000"}]
    """

@Suite(.onAnyStore, .described) struct `A created transaction` {
    private let transactions = BankClient.account + "/transactions"

    @Test(
        arguments: [0, 2, 6],
        [
            payment + "}",
            payment + #", "fields":[{"label":"Purpose","value":"Café"}],"reference":"order-1"}"#,
            payment + #", "authentication":["userPIN"],"seconds":30}"#,
            payment + #", "returnURL":"https://shop.example/back?order=1"}"#,
            #"{"context":"login","title":"Log in"}"#,
            #"{"context":"action","title":"New phone number","reference":"a-1"}"#,
            """
            {"context":"payment","title":"Card payment","source":"cards",
            "amounts":[{"currency":"EUR","minorUnits":4711}],
            "payees":[{"name":"CoffeeHouse2","merchant":"shop 1 of acquirer 2, Germany"}]}
            """,
        ]
    )
    func `has the same body in the first response, in a repeated one and in a later one`(
        _ digits: Int,
        _ content: String
    ) async throws {
        let client = try await BankClient(
            policy: """
                {"numberMatchingDigits": \(digits), "returnAddresses": ["https://shop.example"]}
                """
        )
        _ = try await client.bank.activate()
        let created = try await client.call("POST", transactions, content, key: "one")
        #expect(created.status == 201, "\(created.text)")
        let again = try await client.call("POST", transactions, content, key: "one")
        #expect(again.body == created.body)
        let location = try created.value(of: "location").unwrapped()
        let shown = try await client.call("GET", location)
        #expect(shown["number"] == nil)
        let number = created["number"].map { #","number":"\#($0)""# } ?? ""
        #expect(number.isEmpty == (digits == 0))
        #expect(created.text.replacing(number, with: "") == shown.text)
    }

    @Test func `needs one read for the token, and one write`() async throws {
        var bank = try await Bank(policy: #"{"numberMatchingDigits": 2}"#)
        _ = try await bank.activate()
        let watched = WatchedDatabase(bank.database)
        bank.use(bank.verifier(over: watched))
        let client = try await BankClient(bank)
        for number in 1...2 {
            watched.forget()
            let key = "\(number)"
            let created = try await client.call("POST", transactions, payment + "}", key: key)
            #expect(created.status == 201)
        }
        #expect(watched.statements.filter { ["read", "write"].contains($0) } == ["read", "write"])
    }
}
