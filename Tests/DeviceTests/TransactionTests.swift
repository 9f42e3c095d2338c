import AuthenticationHandler
import StoreTesting
import Testing
import TransactionApproval
import VerifierWorld

@Suite(.onAnyStore) struct `Pending transactions at a verifier` {
    @Test func `the oldest of all accounts is first, with the remaining count`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        let app = try world.app()
        #expect(try await app.pendingTransaction() == nil)
        let first = try await world.bank.request("4712", for: 1).id
        world.bank.clock.advance(by: .milliseconds(1))
        let second = try await world.bank.request("4711", for: 2).id
        world.bank.clock.advance(by: .milliseconds(1))
        let third = try await world.bank.request("4712", for: 3).id
        let oldest = try #require(try await app.pendingTransaction())
        #expect(oldest.id == first)
        #expect(oldest.account == (try .named("4712")))
        #expect(
            try await app.pendingTransactions().transactions.map(\.id) == [first, second, third]
        )
        try await app.approve(oldest, with: .pin(.typed(World.pin)))
        #expect(try await app.pendingTransaction()?.id == second)
    }

    @Test func `SEC-40: a transaction is shown as it is signed`() async throws {
        let world = try await World()
        try await world.activate()
        try await world.bank.request(for: 12_34, reference: "R-1")
        let shown = try #require(try await world.app().pendingTransaction())
        #expect(shown.title == "Transfer")
        #expect(shown.amounts.map(\.formatted) == ["12.34 EUR"])
        #expect(shown.payees.map(\.recipient) == [.account("DE89370400440532013000")])
        #expect(shown.payees.map(\.recipient.description) == ["DE89 3704 0044 0532 0130 00"])
        #expect(shown.reference == "R-1")
        #expect(shown.authenticationTypes == [.userPIN])
        #expect(shown.deadline == world.bank.clock.now + .seconds(120))
    }

    @Test func `SEC-35: a notification returns its transaction or nothing`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        _ = try await world.bank.activate("4713")
        let (id, _) = try await world.bank.request()
        let (stranger, _) = try await world.bank.request("4713")
        let app = try world.app()
        #expect(try await app.pendingTransaction(push: push(id)).id == id)
        let wrong = [
            push(id, "4712"), push(id, "4713"), push(stranger), push(stranger, "4713"),
            push("unknown"), push(id, type: "other"),
        ]
        let malformed = [
            Array("{}".utf8), Array(#"{"sa_transaction_id":"\#(id)","account_id":"4711"}"#.utf8),
            push(id).dropLast() + Array(#","account_id":"4711"}"#.utf8),
        ]
        for (payloads, code) in [(wrong, .pushMismatch), (malformed, ErrorCode.pushMalformed)] {
            for payload in payloads {
                let failure = await error { try await app.pendingTransaction(push: payload) }
                #expect(failure?.code == code, "\(String(decoding: payload, as: UTF8.self))")
            }
        }
    }

    private func push(
        _ id: String,
        _ account: String = "4711",
        type: String = "main"
    ) -> [UInt8] {
        let id = #""sa_transaction_id":"\#(id)""#
        return Array(#"{\#(id),"account_id":"\#(account)","account_type":"\#(type)"}"#.utf8)
    }

    @Test func `a decided transaction reports its final state`() async throws {
        let world = try await World()
        try await world.activate()
        let app = try world.app()
        let withdrawn = try await world.bank.request().id
        try await world.bank.withdraw(withdrawn)
        let decided = try await world.bank.request().id
        let shown = try await app.pendingTransaction(push: push(decided))
        try await app.reject(shown)
        let late = try await world.bank.request().id
        world.bank.clock.advance(by: .seconds(120))
        #expect(try await app.pendingTransaction() == nil)
        let failures = [
            await error { try await app.pendingTransaction(push: push(withdrawn)) },
            await error { try await app.pendingTransaction(push: push(decided)) },
            await error { try await app.pendingTransaction(push: push(late)) },
        ]
        #expect(failures.map(\.?.finalState) == [.withdrawn, .rejected, nil])
        #expect(failures.last??.code == .transactionExpired)
        let again = await error {
            try await app.approve(shown, with: .pin(.typed(World.pin)))
        }
        #expect(again?.finalState == .rejected)
    }

    @Test func `an unreachable verifier does not hide other accounts`() async throws {
        let world = try await World()
        _ = try await world.bank.addLinkedAccount("4712")
        try await world.activate()
        let id = try await world.bank.request("4712").id
        try await world.bank.revokeDevice(of: "4711")
        #expect(try await world.app().pendingTransaction()?.id == id)
    }

    @Test func `a missing network or an unsigned response is an error`() async throws {
        let world = try await World()
        try await world.activate()
        world.line.cut()
        #expect(
            await error { try await world.app().pendingTransaction() }?.code == .networkUnavailable
        )
        world.line.fail(.transactionList, by: .responseForged)
        #expect(
            await error { try await world.app().pendingTransaction() }?.code == .serverUntrusted
        )
    }

    // MARK: Changes by the bank after the activation

    @Test func `a replaced account gets its transactions`() async throws {
        let world = try await World()
        try await world.activate()
        try await world.bank.replace("4711", by: "4799")
        let id = try await world.bank.request("4799").id
        let shown = try #require(try await world.app().pendingTransaction())
        #expect(shown.id == id)
        #expect(shown.account == (try .named("4799")))
        #expect(try await world.app().accounts() == [try .named("4799")])
        try await world.app().approve(shown, with: .pin(.typed(World.pin)))
        #expect(try await world.bank.outcome(of: id) == "approved by userPIN")
    }

    @Test func `a request is listed once if a replacement gave two devices one account`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        _ = try await world.bank.addAccount("4799")
        try await world.activate("4799")
        try await world.bank.replace("4711", by: "4799")
        let id = try await world.bank.request("4799").id
        let app = try world.app()
        #expect(try await app.pendingTransactions().transactions.map(\.id) == [id])
        #expect(try await app.accounts() == [try .named("4799"), try .named("4799")])
        let oldest = try #require(try await app.pendingTransaction())
        try await app.approve(oldest, with: .pin(.typed(World.pin)))
    }

    @Test func `a notification works for a replaced account`()
        async throws
    {
        let world = try await World()
        try await world.activate()
        try await world.bank.replace("4711", by: "4799")
        let id = try await world.bank.request("4799").id
        let shown = try await world.app().pendingTransaction(push: push(id, "4799"))
        #expect(shown.account == (try .named("4799")))
        let old = await error { try await world.app().pendingTransaction(push: push(id, "4711")) }
        #expect(old?.code == .pushMismatch)
    }

    @Test func `a newly allowed type can be used at once`() async throws {
        let world = try await World()
        try await world.activate()
        try await world.bank.setPolicy(World.allowingConsent)
        try await world.bank.request(for: 1)
        let shown = try #require(try await world.app().pendingTransaction())
        #expect(shown.authenticationTypes == [.consent, .userPIN])
        try await world.app().approve(shown, with: .consent)
        #expect(try await world.bank.outcome(of: shown.id) == "approved by consent")
    }
}
