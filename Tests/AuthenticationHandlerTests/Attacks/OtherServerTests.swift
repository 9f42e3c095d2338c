import OneTimePassword
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `A trusted server that gives accounts the names of another server` {
    let home: Home
    let server: ScriptedServer
    let attacker: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
        attacker = try ScriptedServer(at: "https://other.example")
    }

    private func handler() throws -> AuthenticationHandler {
        try home.handler(Switchboard(servers: [server, attacker]))
    }

    private func routes(of server: ScriptedServer) -> [String] {
        server.requests.map { String($0.message.targetURI.dropFirst(server.origin.utf8.count)) }
    }

    private func pending() throws -> AccountRecord.State {
        .pending(
            SentCommit(
                activation: try .random(),
                claim: try HashAlgorithm.sha256.digest(of: [1].span),
                deviceKey: try P256.PrivateKey().publicKey
            )
        )
    }

    @Test func `SEC-124: replaces no usable account`() async throws {
        let account = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4711", "4712"], at: attacker)
        activation.respondToClaim()
        server.thenTellStatus(of: account)
        let handler = try handler()
        let error = await #expect(throws: AuthenticationError.self) {
            _ = try await handler.verifyActivation(activation.inHand())
        }
        #expect(error?.code == .accountAlreadyActivated)
        #expect(try home.vault().devices() == [account.record.device])
        #expect(routes(of: server) == ["/device/v1/status"])
        let code = try await handler.oneTimeCode(pin: .typed("271905"), for: account.record.name)
        #expect(code.text.count == 8)
    }

    @Test func `SEC-124: replaces no account whose server is gone`() async throws {
        let account = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4711"], at: attacker)
        activation.respondToClaim()
        for _ in 1...2 { server.thenRefuseTheConnection() }
        let handler = try handler()
        await #expect(throws: AuthenticationError(.accountAlreadyActivated)) {
            _ = try await handler.verifyActivation(activation.inHand())
        }
        #expect(try home.vault().devices() == [account.record.device])
    }

    @Test func `SEC-124: replaces no account that became active after the check`() async throws {
        let activation = try ScriptedActivation(of: ["4711"], at: attacker)
        activation.respondToClaim()
        let handler = try handler()
        let verified = try await handler.verifyActivation(activation.inHand())
        let account = try await home.addAccount("4711", of: server)
        server.thenTellStatus(of: account)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.setPIN(.typed("271905"), for: verified)
        }
        #expect(error?.code == .accountAlreadyActivated)
        #expect(try home.vault().devices() == [account.record.device])
        #expect(routes(of: attacker) == ["/device/v1/activation/claim"])
    }

    /// Its commit was sent before the other server's account was active.
    @Test func `SEC-124: replaces no account when its unfinished activation ends`() async throws {
        let account = try await home.addAccount("4711", of: server)
        let late = try await home.addAccount("4711", of: attacker) {
            $0.place = 1
            $0.state = try pending()
        }
        attacker.thenTellStatus(of: late)
        try await handler().recover()
        #expect(server.requests.isEmpty)
        #expect(try home.vault().devices().contains(account.record.device))
    }

    @Test func `SEC-124: ends no unfinished activation of the other server`() async throws {
        let account = try await home.addAccount("4711", of: server) { $0.state = try pending() }
        _ = try await home.addAccount("4711", of: attacker) { $0.place = 1 }
        server.thenTellStatus(of: account)
        try await handler().recover()
        #expect(routes(of: server) == ["/device/v1/status"])
        #expect(try home.vault().account(of: account.record.device)?.record.state == .active)
    }

    @Test func `SEC-124: gives no account a name of the other server later`() async throws {
        _ = try await home.addAccount("4711", of: server)
        let other = try await home.addAccount("4712", of: attacker) { $0.place = 1 }
        let name = AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: "4711"))
        let policy = other.record.policy
        attacker.then(
            StatusExchange.self,
            .done(.init(account: name, credentials: [], policy: policy))
        )
        let handler = try handler()
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.profile(for: other.record.name)
        }
        #expect(error?.code == .serverUntrusted)
        #expect(try await handler.accounts().map(\.id) == ["4711", "4712"])
    }

    @Test func `SEC-124: removes no damaged account of the other server`() async throws {
        let lost = try await home.addAccount("4711", of: server)
        try home.vault().secretStore.delete(named: lost.record.device.description)
        let activation = try ScriptedActivation(of: ["4711"], at: attacker)
        let handler = try handler()
        _ = try await activation.activate(handler, "271905")
        #expect(try await handler.accounts().map(\.id) == ["4711"])
        #expect(
            try await handler.unusableAccounts().map(\.fileName) == [lost.record.device.fileName]
        )
    }

    @Test func `SEC-124: hides no request that has the reference of a decided one`() async throws {
        let own = try await home.addAccount("4711", of: server)
        let other = try await home.addAccount("4712", of: attacker)
        func seen(_ account: OpenAccount) throws -> [TransactionID] {
            let transaction = try Transaction.sample(id: "T-2", reference: "R")
            return try home.vault().seenReferences()
                .repeated(by: transaction, at: account.record.server)
        }
        let decided = try Transaction.sample("4712", id: "T-1", reference: "R")
        attacker.then(TransactionListExchange.self, .done(.init(transactions: [decided.id])))
        attacker.then(TransactionExchange.self, .done(.init(transaction: decided)))
        attacker.then(DecisionExchange.self, .done(NoContent()))
        server.then(TransactionListExchange.self, .done(.init(transactions: [])))
        let result = try await handler().decideNextTransaction { _ in .approve(with: .consent) }
        #expect(result?.isApproved == true)
        #expect(try seen(other) == [decided.id])
        #expect(try seen(own) == [])
    }

    /// For example, the bank moved to another server, and revoked the devices at the old one.
    @Test func `replaces an account that its own server reports as revoked`() async throws {
        let account = try await home.addAccount("4711", of: server)
        let activation = try ScriptedActivation(of: ["4711"], at: attacker)
        activation.respondToClaim()
        for _ in 1...2 { server.then(StatusExchange.self, .refused(.deviceRevoked)) }
        server.then(DeletionExchange.self, .refused(.deviceRevoked))
        activation.respondToCommit()
        let handler = try handler()
        let verified = try await handler.verifyActivation(activation.inHand())
        #expect(verified.lostAccounts == [account.record.name])
        let enrolments = try await handler.setPIN(.typed("271905"), for: verified)
        #expect(enrolments == [Enrolment(account.record.name, .enrolled)])
        #expect(try home.vault().accounts().map(\.record.server.text) == [attacker.origin])
    }

    // MARK: One PIN

    /// An activation whose commit got no response, with this PIN.
    private func leaveUnfinished() async throws {
        let activation = try ScriptedActivation(of: ["4711"], at: server)
        activation.respondToClaim()
        let verified = try await handler().verifyActivation(activation.inHand())
        for _ in 1...2 { server.thenLoseTheResponse() }
        await #expect(throws: AuthenticationError(.responseMissing)) {
            try await handler().setPIN(.typed("271905"), for: verified)
        }
        for account in try home.vault().accounts() { server.know(account) }
    }

    @Test func `gets no PIN while that of an unfinished activation cannot be checked`()
        async throws
    {
        try await leaveUnfinished()
        let activation = try ScriptedActivation(of: ["4712"], at: attacker)
        activation.respondToClaim()
        for _ in 1...2 { server.thenRefuseTheConnection() }
        let handler = try handler()
        // Before the person chooses a PIN.
        await #expect(throws: AuthenticationError(.networkUnavailable)) {
            _ = try await handler.verifyActivation(activation.inHand())
        }
        #expect(routes(of: attacker) == ["/device/v1/activation/claim"])
        // The person removes the unfinished one.
        for _ in 1...4 { server.thenRefuseTheConnection() }
        for account in try await handler.unusableAccounts() {
            _ = try await handler.deleteAccount(account)
        }
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(activation.inHand())
        activation.respondToCommit()
        #expect(try await handler.setPIN(.typed("538091"), for: verified).count == 1)
    }

    /// One account of each server.
    private func addAccounts() async throws -> OpenAccount {
        _ = try await home.addAccount("4711", of: server)
        return try await home.addAccount("4712", of: attacker) { $0.place = 1 }
    }

    @Test(arguments: [Problem.serverUnavailable, .rateLimited(retryAfterSeconds: 9)])
    func `gets its PIN checked by one bank during an outage of another`(
        _ outage: Problem
    ) async throws {
        let other = try await addAccounts()
        let activation = try ScriptedActivation(of: ["4713"], in: "other-bank", at: attacker)
        let handler = try handler()
        for problem in [nil, Problem.upgradeRequired] {
            activation.respondToClaim()
            for _ in 1...2 { server.then(StatusExchange.self, .refused(outage)) }
            if let problem {
                attacker.then(StatusExchange.self, .refused(problem))
                let error = await #expect(throws: AuthenticationError.self) {
                    _ = try await handler.verifyActivation(activation.inHand())
                }
                #expect(error?.code == AuthenticationError(refusal: outage).code)
            } else {
                attacker.thenTellStatus(of: other)
                let verified = try await handler.verifyActivation(activation.inHand())
                #expect(verified.existingAccount == other.record.name)
            }
            server.forget()
        }
    }

    @Test func `SEC-108: gets its PIN checked by no other bank if there is a sibling`()
        async throws
    {
        _ = try await addAccounts()
        let activation = try ScriptedActivation(of: ["4713"], at: attacker)
        activation.respondToClaim()
        for _ in 1...2 { attacker.then(StatusExchange.self, .refused(.serverUnavailable)) }
        await #expect(throws: AuthenticationError(.serverUnavailable)) {
            _ = try await handler().verifyActivation(activation.inHand())
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `gets its PIN checked after an unfinished activation succeeded`() async throws {
        try await leaveUnfinished()
        let pending = try #require(try home.vault().accounts().first)
        let activation = try ScriptedActivation(of: ["4712"], at: attacker)
        let handler = try handler()
        for _ in 1...3 { server.thenTellStatus(of: pending) }
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(activation.inHand())
        #expect(verified.existingAccount == pending.record.name)
        server.then(PINCheckExchange.self, .refused(.authenticationFailed(attemptsLeft: 4)))
        await #expect(throws: AuthenticationError(.authenticationFailed)) {
            try await handler.setPIN(.typed("538091"), for: verified)
        }
        #expect(routes(of: attacker) == ["/device/v1/activation/claim"])
    }
}
