import HTTPServer
import TestSupport
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@testable import VerifierServer

/// An attacker has one token of the bank and knows all calls of the other programs, with their keys.
@Suite(.onAnyStore, .described) struct `Secrets in responses of the bank API` {
    private let client: BankClient
    private var bank: Bank { client.bank }
    private let activations = BankClient.account + "/activations"
    private let transactions = BankClient.account + "/transactions"
    private let action = #"{"context":"action","title":"New phone number"}"#

    init() async throws {
        client = try await BankClient(
            policy: #"{"numberMatchingDigits": 6, "codeInActivationURI": true}"#
        )
    }

    /// The authorization of one more token.
    private func token(_ name: String, _ role: BankToken.Role = .issuer) async throws -> String {
        BankClient.token(try await bank.makeToken(name, for: role))
    }

    /// The actors of these records, in order.
    private func actors(of kind: Event.Kind) async throws -> [String] {
        let path = BankClient.enterprise + "/audit"
        let trail = try await client.call("GET", path, as: .auditor).text
        let records = try trail.split(separator: "\n").map {
            try AuditRecord(exported: Array($0.utf8))
        }
        return records.filter { $0.event.kind == kind }.map(\.actor.text)
    }

    private func post(
        _ path: String,
        _ content: String,
        showing token: String,
        key: String
    ) async throws -> CompleteResponse {
        try await client.call("POST", path, showing: token, content, key: key)
    }

    @Test(arguments: BankToken.Role.allCases)
    func `SEC-105: a repeated call returns secrets only to the token that made the first call`(
        _ role: BankToken.Role
    ) async throws {
        _ = try await bank.activate()
        let core = try await token("core")
        let attacker = try await token("attacker", role)
        for (path, content, secret) in [
            (activations, "{}", "code"), (transactions, action, "number"),
        ] {
            let first = try await post(path, content, showing: core, key: secret)
            let stolen = try await post(path, content, showing: attacker, key: secret)
            let (value, id) = (try first[secret].unwrapped(), try first["id"].unwrapped())
            #expect(!stolen.isReplayed)
            #expect(stolen["id"] != id)
            #expect(!stolen.text.contains(value))
            #expect(!stolen.text.contains(id))
            // The first token is not disturbed: its call has its own result, as long as it is open.
            let again = try await post(path, content, showing: core, key: secret)
            #expect(again.isReplayed)
            #expect(again["id"] == id)
            if secret == "number" { #expect(again["number"] == value) }
        }
    }

    @Test func `SEC-105: a token that replaces a revoked one is another caller`() async throws {
        let old = try await token("core")
        let first = try await post(activations, "{}", showing: old, key: "one")
        let name = BankTokenName(checked: "core")
        #expect(try await bank.verifier.revokeToken(named: name, by: .operatorCommand))
        let new = try await token("core-2")
        let second = try await post(activations, "{}", showing: new, key: "one")
        #expect(!second.isReplayed)
        #expect(second["id"] != first["id"])
        #expect(second["code"] != first["code"])
        let late = try await post(activations, "{}", showing: old, key: "one")
        #expect(late.status == 401)
    }

    @Test func `SEC-105: each repeated secret is one record on the trail`() async throws {
        _ = try await bank.activate()
        let core = try await token("core")
        let issued = try await post(activations, "{}", showing: core, key: "one")
        _ = try await post(transactions, action, showing: core, key: "two")
        for kind in [Event.Kind.activationCodeRead, .transactionNumberRead] {
            #expect(try await actors(of: kind) == [])
        }
        for count in 1...2 {
            let again = try await post(activations, "{}", showing: core, key: "one")
            #expect(again["code"] == issued["code"])
            let same = try await post(transactions, action, showing: core, key: "two")
            #expect(same["number"] != nil)
            let expected = Array(repeating: "token:core", count: count)
            #expect(try await actors(of: .activationCodeRead) == expected)
            #expect(try await actors(of: .transactionNumberRead) == expected)
        }
        // Without a secret in the response there is no record.
        bank.clock.advance(by: .seconds(24 * 60 * 60))
        let late = try await post(activations, "{}", showing: core, key: "one")
        let closed = try await post(transactions, action, showing: core, key: "two")
        #expect((late.status, late["code"]) == (201, nil))
        #expect((closed.status, closed["number"]) == (201, nil))
        #expect(try await actors(of: .activationCodeRead).count == 2)
        #expect(try await actors(of: .transactionNumberRead).count == 2)
    }

    @Test func `SEC-49: one token sends the id, and another one the code`() async throws {
        let desk = try await token("desk", .customerService)
        let issued = try await post(activations, "{}", showing: desk, key: "one")
        let again = try await post(activations, "{}", showing: desk, key: "one")
        let id = try issued["id"].unwrapped()
        let one = "\(activations)/\(id)"
        let printed = try await client.call("GET", one + "/qr.svg", showing: desk)
        let uri = try QRReader.text(of: printed.text, "svg")
        #expect(issued["uri"] == uri)
        #expect(try await actors(of: .activationCodeRead) == [])

        let letters = try await token("letters", .codeDelivery)
        var codes: Set<String> = []
        for _ in 1...2 {
            let read = try await client.call("GET", one + "/code", showing: letters)
            codes.insert(try read["code"].unwrapped())
            #expect(!read.text.contains(id))
        }
        let code = try #require(codes.first)
        #expect(codes.count == 1)
        #expect(try await actors(of: .activationCodeRead) == ["token:letters", "token:letters"])
        // Nothing that the desk gets contains the code, although the policy joins both.
        let list = try await client.call("GET", activations, showing: desk)
        let shown = try await client.call("GET", one, showing: desk)
        for text in [issued.text, again.text, uri, list.text, shown.text] {
            #expect(!text.contains("code"))
            #expect(!text.contains(code))
        }
        try await bank.phone().activate(id, with: code, in: bank)
    }

    @Test func `reads a code only of an open activation, and of its own account`() async throws {
        func status(_ path: String) async throws -> Int {
            try await client.call("GET", path + "/code", as: .codeDelivery).status
        }
        func issue(_ key: String) async throws -> String {
            let issued = try await client.call("POST", activations, "{}", key: key)
            return "\(activations)/\(try issued["id"].unwrapped())"
        }
        let revoked = try await issue("one")
        let used = try await issue("two")
        let code = try await client.call("GET", used + "/code", as: .codeDelivery)["code"]
        let id = try #require(used.split(separator: "/").last)
        let elsewhere = BankClient.enterprise + "/accounts/main/4712"
        #expect(try await client.call("PUT", elsewhere).status == 201)
        #expect(try await status("\(elsewhere)/activations/\(id)") == 404)
        #expect(try await status(revoked) == 404)
        #expect(try await status(activations + "/AAAAAAAAAA") == 404)
        #expect(try await status(activations + "/x") == 404)
        try await bank.phone().activate(String(id), with: try code.unwrapped(), in: bank)
        #expect(try await status(used) == 404)
        let expired = try await issue("three")
        bank.clock.advance(by: .seconds(24 * 60 * 60))
        #expect(try await status(expired) == 404)
        #expect(try await actors(of: .activationCodeRead) == ["token:codeDelivery"])
    }

    @Test func `SEC-49: a token that delivers codes cannot do anything else`() async throws {
        for route in BankRoute.all where route.scope != .activationCodes {
            let response = try await client.call(
                route.method.rawValue,
                route.target(),
                as: .codeDelivery,
                "{}",
                key: "one"
            )
            #expect(response.code == "scopeMissing", "\(route.testDescription)")
        }
    }
}
