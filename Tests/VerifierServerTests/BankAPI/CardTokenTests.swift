import BankIntegration
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

private let payment = """
    {"context":"payment","title":"Card payment","amounts":[{"currency":"EUR","minorUnits":4711}],
    "payees":[{"name":"CoffeeHouse2 (Dæmø)","merchant":"shop 0004445001 of acquirer 271829, Germany"}],
    "source":"cards","seconds":60}
    """
private let action = #"{"context":"action","title":"New phone number"}"#

@Suite(.onAnyStore, .described) struct `A token for card payments` {
    private let client: BankClient
    private let phone: Phone
    private var bank: Bank { client.bank }
    private let transactions = BankClient.account + "/transactions"
    private let ended = BankClient.enterprise + "/transactions/ended"

    init() async throws {
        client = try await BankClient(policy: #"{"numberMatchingDigits": 2}"#)
        phone = try await client.bank.activate()
    }

    @Test func `requests, shows, awaits and withdraws a card payment`() async throws {
        let ready = try await card("GET", BankClient.account + "/readiness?source=cards")
        #expect(
            ready.text == #"{"ready":true,"authentication":["userPIN"],"muted":false,"#
                + #""transactionSeconds":120,"requiredFields":[],"numberMatchingDigits":2}"#
        )
        let created = try await card("POST", transactions, payment, key: "one")
        #expect((created.status, created["source"]) == (201, "cards"))
        #expect(created["payees", "0", "merchant"] == "shop 0004445001 of acquirer 271829, Germany")
        #expect(created["payees", "0", "account"] == nil)
        #expect(created["number"] != nil)
        #expect(created["deadline"] == "2027-01-15T08:01:00.000Z")
        let id = try created["id"].unwrapped()
        #expect(try await card("GET", "\(transactions)/\(id)")["state"] == "pending")
        let list = #"{"ids":["\#(id)"]}"#
        let none = #"{"ended":[],"unapprovable":[],"withoutDevice":[],"unknown":[]}"#
        #expect(try await card("POST", ended, list).text == none)
        let other = try await card("POST", transactions, payment, key: "two")["id"].unwrapped()
        let withdrawal = try await card("PUT", "\(transactions)/\(other)/withdrawal")
        #expect(withdrawal.status == 204)
        let found = try await card("POST", ended, #"{"ids":["\#(id)","\#(other)"],"wait":60}"#)
        #expect(found["ended", "0", "id"] == other)
        #expect(found["ended", "0", "state"] == "withdrawn")
        #expect(found["ended", "1"] == nil)
    }

    @Test func `creates one transaction, also if another one repeats the call (SEC-76)`()
        async throws
    {
        let first = try await card("POST", transactions, payment, key: "one")
        let next = BankClient.token(try await bank.makeToken("cards-2", for: .cards))
        let again = try await client.call(
            "POST",
            transactions,
            showing: next,
            payment,
            key: "one"
        )
        #expect((again.status, again.isReplayed) == (201, true))
        #expect(again["id"] == first["id"])
        let ofBank = try await client.call("POST", transactions, payment, key: "one")
        #expect((ofBank.status, ofBank.isReplayed) == (201, false))
        #expect(ofBank["id"] != first["id"])
    }

    @Test func `reads the rules of the policy that a card payment must meet`() async throws {
        try await client.bank.setPolicy(
            #"{"transactionSeconds": 300, "requiredFields": "#
                + #"[{"context": "payment", "labels": ["Purpose", "Card"]}]}"#
        )
        let ready = try await card("GET", BankClient.account + "/readiness?source=cards")
        #expect(ready["transactionSeconds"] == "300")
        #expect(ready["numberMatchingDigits"] == "0")
        #expect(ready["requiredFields", "0", "context"] == "payment")
        #expect(ready["requiredFields", "0", "labels", "0"] == "Purpose")
        #expect(ready["requiredFields", "0", "labels", "1"] == "Card")
    }

    @Test func `SEC-84: sees and changes no request of the bank itself`() async throws {
        let refused = try await card("POST", transactions, action, key: "one")
        #expect(refused.code == "scopeMissing")
        let own = try await client.call("POST", transactions, action, key: "one")
        let one = "\(transactions)/\(try own["id"].unwrapped())"
        #expect(own["source"] == "bank")
        // Not after the end of the transaction, which would show that there is one.
        #expect(try await card("GET", one + "?wait=60").status == 404)
        #expect(try await client.call("GET", one)["state"] == "pending")
        #expect(try await card("PUT", one + "/withdrawal").status == 404)
        #expect(try await card("POST", one + "/notifications").status == 404)
        let ids = #"{"ids":["\#(try own["id"].unwrapped())"]"#
        let list = ids + #","wait":60}"#
        #expect(try await card("POST", ended, list)["unknown", "0"] == own["id"])
        #expect(try await client.call("POST", ended, ids + "}")["unknown", "0"] == nil)
        let readiness = try await card("GET", BankClient.account + "/readiness")
        #expect(readiness.code == "scopeMissing")
        #expect(try await client.call("GET", one)["state"] == "pending")
        // It has ended, so its state would be shown.
        #expect(try await client.call("PUT", one + "/withdrawal").status == 204)
        #expect(try await card("PUT", one + "/withdrawal").status == 404)
        #expect(try await card("POST", ended, list)["unknown", "0"] == own["id"])
    }

    @Test(arguments: [
        #"{"context":"login","title":"x","source":"cards"}"#,
        payment.replacing("merchant", with: "account").replacing(
            "shop 0004445001 of acquirer 271829, Germany",
            with: "A1"
        ),
    ])
    func `SEC-84: requests no login and no payment to an account`(_ content: String) async throws {
        let refused = try await card("POST", transactions, content, key: "one")
        #expect((refused.code, refused.errors.first?.pointer) == ("policyForbids", "/source"))
    }

    @Test func `SEC-84: cannot do anything else`() async throws {
        let other = BankRoute.all.filter { !$0.servesCards }
        #expect(BankRoute.all.count - other.count == 6)
        for route in other {
            let response = try await card(route.method.rawValue, route.target(), "{}", key: "one")
            #expect(response.code == "scopeMissing", "\(route.testDescription)")
        }
    }

    @Test(
        arguments: [
            ("{}", "/ids"), (#"{"ids":[]}"#, "/ids"), (#"{"ids":["a b"]}"#, "/ids/0"),
            (#"{"ids":["a"],"wait":61}"#, "/wait"), (#"{"ids":["a"],"wait":-1}"#, "/wait"),
        ]
    )
    func `awaits only a valid list`(_ content: String, _ pointer: String) async throws {
        let response = try await card("POST", ended, content)
        #expect((response.code, response.errors.first?.pointer) == ("invalidContent", pointer))
    }

    @Test(arguments: [500, 501])
    func `awaits at most 500 transactions`(_ count: Int) async throws {
        let ids = (0..<count).map { #""\#($0)""# }.joined(separator: ",")
        let response = try await card("POST", ended, #"{"ids":[\#(ids)]}"#)
        #expect(response.status == (count <= 500 ? 200 : 422))
    }

    private func card(
        _ method: String,
        _ target: String,
        _ content: String? = nil,
        key: String? = nil
    ) async throws -> CompleteResponse {
        try await client.call(method, target, as: .cards, content, key: key)
    }
}
