import HTTPClient
import ProgramTesting
import StrictJSON
import TestSupport
import Testing
import TransactionApproval
import Transactions

@testable import ThreeDSIssuer

/// The client, a running verifier over TLS, and a person with `countersign`.
@Suite struct `The verifier, as an ACS calls it` {
    private let person: Person
    private let client: VerifierClient
    private let account: CardAccount

    init() async throws {
        person = try Person.activated()
        account = try Self.account(person.account)
        client = try Self.client(person.bank, showing: Self.token(of: person))
    }

    private static func account(_ id: String) throws -> CardAccount {
        try #require(CardAccount("bank/main/\(id)"))
    }

    private static func token(of person: Person, _ role: String = "cards") throws -> String {
        try person.bank.premises.token("\(role)-\(person.account)", role)
    }

    private static func client(
        _ bank: Bank,
        showing token: String,
        trusting authority: Certificates.Name = .authority
    ) throws -> VerifierClient {
        try VerifierClient(
            of: #require(EnterpriseID("bank")),
            at: #require(ServerOrigin(bank.origin)),
            showing: token,
            trusting: Certificates.shared.get().path(authority)
        )
    }

    private func request(_ key: String = "one") async throws -> RequestedTransaction {
        let content = """
            {"source":"cards","seconds":100,"context":"payment","title":"Card payment",
            "amounts":[{"currency":"EUR","minorUnits":4711}],
            "payees":[{"name":"CoffeeHouse2","merchant":"shop 0004445001"}],
            "authentication":["userPIN"]}
            """
        return try await client.request(
            Array(content.utf8),
            of: account,
            key: "\(person.account)-\(key)"
        )
    }

    /// Awaits the first end.
    private func end(of transaction: TransactionID) async throws -> TransactionEnd {
        try #require(try await client.ends(of: [transaction], waiting: 60).ended.first)
    }

    @Test func `knows whether a person could approve`() async throws {
        let ready = try await client.readiness(of: account)
        #expect(ready.isReady && !ready.isMuted && ready.retryAfterSeconds == nil)
        #expect(ready.ways == [.userPIN, .consent])
        let other = try Person()
        let readiness = try await client.readiness(of: Self.account(other.account))
        #expect(!readiness.isReady && readiness.ways.isEmpty)
    }

    @Test func `requests an approval once, and awaits it`() async throws {
        let transaction = try await request()
        #expect(try await request() == transaction)
        #expect(transaction.number == nil)
        let pending = try await client.ends(of: [transaction.id], waiting: 0)
        #expect(pending.ended.isEmpty && pending.unapprovable.isEmpty && pending.unknown.isEmpty)
        async let end = end(of: transaction.id)
        let id = transaction.id.text
        let run = try person.run("approve", id, "--yes", typing: Person.pin)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        #expect(try await end.state == .approved(.userPIN))
        // The verdict wins over a withdrawal that comes later.
        let found = try await client.withdraw(transaction.id, of: account)
        #expect(found?.state == .approved(.userPIN))
    }

    @Test(arguments: [("other", TransactionEnd.State.rejected), ("not-me", .suspected)])
    func `knows why a person rejected`(_ reason: String, _ state: TransactionEnd.State) async throws
    {
        let id = try await request().id
        let words = reason == "not-me" ? ["--not-me"] : []
        let run = try person.countersign(["reject", id.text] + words)
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        #expect(try await end(of: id).state == state)
        #expect(try await client.readiness(of: account).isMuted == (state == .suspected))
    }

    @Test func `withdraws a transaction once`() async throws {
        let id = try await request().id
        for _ in 1...2 { #expect(try await client.withdraw(id, of: account) == nil) }
        #expect(try await end(of: id).state == .withdrawn)
    }

    @Test func `reports that no device can approve any longer`() async throws {
        let id = try await request().id
        try person.lock()
        let ends = try await client.ends(of: [id], waiting: 60)
        #expect(ends.unapprovable == [id] && ends.withoutDevice == [])
        // Consent has no secret that could be locked.
        #expect(try await client.readiness(of: account).ways == [.consent])
    }

    @Test func `reports that the person has no device any more`() async throws {
        let id = try await request().id
        try person.backend.revokeDevice(showing: try person.serviceToken())
        let ends = try await client.ends(of: [id], waiting: 60)
        #expect(ends.unapprovable == [id] && ends.withoutDevice == [id])
    }

    @Test func `knows when the limits allow the next request`() async throws {
        for number in 1...3 { _ = try await request("\(number)") }
        await #expect(throws: VerifierFailure.refused(code: "tooManyPending")) {
            try await request("4")
        }
        let seconds = try #require(try await client.readiness(of: account).retryAfterSeconds)
        #expect((1...100).contains(seconds))
    }

    @Test func `sees no request of the bank itself`() async throws {
        let id = try #require(TransactionID(try person.newPayment()))
        #expect(try await client.ends(of: [id], waiting: 0).unknown == [id])
        await #expect(throws: VerifierFailure.refused(code: "notFound")) {
            try await client.withdraw(id, of: account)
        }
    }

    @Test func `refuses other tokens and other servers`() async throws {
        let auditor = try Self.client(person.bank, showing: Self.token(of: person, "auditor"))
        await #expect(throws: VerifierFailure.refused(code: "scopeMissing")) {
            try await auditor.request(Array("{}".utf8), of: account, key: "one")
        }
        let stranger = try Self.client(person.bank, showing: "stranger")
        await #expect(throws: VerifierFailure.refused(code: "unauthorized")) {
            try await stranger.readiness(of: account)
        }
        let token = try Self.token(of: person, "customerService")
        let untrusted = try Self.client(person.bank, showing: token, trusting: .otherAuthority)
        await #expect(throws: VerifierFailure.unreachable(.serverUntrusted)) {
            try await untrusted.readiness(of: account)
        }
    }
}

@Suite struct `A response of a verifier` {
    private func client(_ status: Int, _ body: String) throws -> VerifierClient {
        VerifierClient(of: try #require(EnterpriseID("bank"))) { _ in (status, Array(body.utf8)) }
    }

    private static let account = CardAccount(
        EnterpriseID(checked: "bank"),
        AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: "1"))
    )

    @Test(arguments: [
        "", "[]", "{}", #"{"ready":1,"muted":true,"authentication":[]}"#,
        #"{"ready":true,"muted":false,"authentication":[],"retryAfterSeconds":"5"}"#,
        #"{"ready":true,"muted":false,"authentication":[],"retryAfterSeconds":1e9}"#,
        #"{"ready":true,"muted":false,"authentication":[],"ready":true}"#,
    ])
    func `is not taken for readiness`(_ body: String) async throws {
        let client = try client(200, body)
        await #expect(throws: VerifierFailure.unreadable) {
            try await client.readiness(of: Self.account)
        }
    }

    @Test(arguments: [
        #"{"ended":[],"unapprovable":[]}"#,
        #"{"ended":[],"unapprovable":["a b"],"unknown":[]}"#,
        #"{"ended":[],"unapprovable":["a"],"withoutDevice":"a","unknown":[]}"#,
    ])
    func `is not taken for an end`(_ body: String) async throws {
        let client = try client(200, body)
        await #expect(throws: VerifierFailure.unreadable) {
            try await client.ends(of: [TransactionID(checked: "a")], waiting: 0)
        }
    }

    @Test func `is left out if one of several ends cannot be read`() async throws {
        let ends = [
            #"{"id":"a","state":"pending"}"#, #"{"id":"b","state":"approved"}"#,
            #"{"state":"expired"}"#, #"{"id":"c","state":"rejected"}"#,
        ]
        let body = #"{"ended":[\#(ends.joined(separator: ","))],"unapprovable":[],"unknown":[]}"#
        let client = try client(200, body)
        let found = try await client.ends(of: [TransactionID(checked: "c")], waiting: 0)
        #expect(found.ended.map(\.id.text) == ["c"])
    }

    @Test(arguments: [#"{"code":"notFound"}"#, #"{"code":"notFound","resource":"path"}"#])
    func `that has no such path is one of another API`(_ body: String) async throws {
        let client = try client(404, body)
        await #expect(throws: VerifierFailure.unreadable) {
            try await client.readiness(of: Self.account)
        }
        for account in [nil, Self.account] {
            await #expect(throws: VerifierFailure.unreadable) {
                try await client.inspect(with: account)
            }
        }
    }

    @Test func `that the service is unavailable has no other meaning`() async throws {
        for status in [500, 502, 503] {
            let client = try client(status, #"{"ready":true,"muted":false,"authentication":[]}"#)
            await #expect(throws: VerifierFailure.unavailable) {
                try await client.readiness(of: Self.account)
            }
        }
    }

    @Test func `does not exist for an account of another enterprise`() async throws {
        let client = VerifierClient(of: try #require(EnterpriseID("bank"))) { _ in
            Issue.record("the verifier is called")
            return (200, [])
        }
        let account = try #require(CardAccount("other/main/1"))
        let id = TransactionID(checked: "a")
        let calls: [() async throws -> Void] = [
            { _ = try await client.readiness(of: account) },
            { _ = try await client.request([], of: account, key: "one") },
            { _ = try await client.withdraw(id, of: account) },
            { _ = try await client.notify(of: id, of: account) },
            { _ = try await client.unknown(among: [account]) },
            { _ = try await client.inspect(with: account) },
        ]
        for call in calls {
            await #expect(throws: VerifierFailure.otherEnterprise) { try await call() }
        }
    }
}
