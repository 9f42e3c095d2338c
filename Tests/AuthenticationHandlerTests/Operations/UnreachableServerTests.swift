import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `An unreachable server` {
    let home: Home
    let server: ScriptedServer
    let other: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
        other = try ScriptedServer(at: "https://other.example")
    }

    /// An account whose activation has no result at the first server, and one at the other server.
    private func addAccounts(isPINChanging: Bool = false) async throws {
        let commit = SentCommit(
            activation: try .random(),
            claim: try HashAlgorithm.sha256.digest(of: [1].span),
            deviceKey: try P256.PrivateKey().publicKey
        )
        _ = try await home.addAccount("4711", of: server) { $0.state = .pending(commit) }
        _ = try await home.addAccount("4712", of: other) {
            $0.place = 1
            if isPINChanging { $0.user.proposed = $0.user.ingredients }
        }
    }

    /// The first server responds only after the other one has received a request.
    private func board() -> Switchboard {
        Switchboard(servers: [server, other]) { [server, other] receiver in
            guard receiver === server else { return }
            do {
                try await waitUntil { !other.requests.isEmpty }
            } catch {
                Issue.record(error)
            }
        }
    }

    private func offer(_ id: String, _ account: String, at server: ScriptedServer) throws {
        let transaction = try Transaction.sample(account, id: id)
        server.then(TransactionListExchange.self, .done(.init(transactions: [transaction.id])))
        server.then(TransactionExchange.self, .done(.init(transaction: transaction)))
    }

    @Test func `with an unfinished activation delays another bank once in a minute`() async throws {
        try await addAccounts()
        let clock = LockedValue(ScriptedServer.now)
        let handler = try home.handler(
            Switchboard(servers: [server, other]),
            clock: clock.withLock { $0 }
        )
        for (seconds, requests) in [(0, 2), (59, 2), (1, 4)] {
            clock.withLock { $0 = $0 + .seconds(seconds) }
            for _ in 1...2 { server.thenRefuseTheConnection() }
            try offer("T-1", "4712", at: other)
            #expect(try await handler.pendingTransactions().transactions.map(\.id) == ["T-1"])
            #expect(server.requests.count == requests)
            server.forget()
        }
        // The list of unfinished activations needs the result.
        for _ in 1...2 { server.thenRefuseTheConnection() }
        #expect(try await handler.unusableAccounts().count == 1)
        #expect(server.requests.count == 6)
    }

    @Test func `does not delay the requests at another one`() async throws {
        _ = try await home.addAccount("4711", of: server)
        _ = try await home.addAccount("4712", of: other) { $0.place = 1 }
        try offer("T-1", "4711", at: server)
        try offer("T-2", "4712", at: other)
        let found = try await home.handler(board()).pendingTransactions()
        #expect(found.transactions.map(\.id) == ["T-1", "T-2"])
    }

    // MARK: The transaction that a notification names

    /// The two accounts have the same name, so the notification can be from either bank.
    private func fetch() async throws -> PendingTransaction {
        _ = try await home.addAccount("4711", of: server)
        _ = try await home.addAccount("4711", of: other) { $0.place = 1 }
        let push = #"{"sa_transaction_id":"T-1","account_id":"4711","account_type":"main"}"#
        return try await home.handler(Switchboard(servers: [server, other]))
            .pendingTransaction(push: Array(push.utf8))
    }

    @Test func `does not hide a transaction of another one that a notification names`()
        async throws
    {
        for _ in 1...2 { server.thenRefuseTheConnection() }
        let transaction = try Transaction.sample(id: "T-1")
        other.then(TransactionExchange.self, .done(.init(transaction: transaction)))
        #expect(try await fetch().id == "T-1")
    }

    @Test(arguments: [
        (Problem.unknownTransaction, ErrorCode.networkUnavailable),
        (.transactionExpired, .transactionExpired),
        (.serverUnavailable, .networkUnavailable),
    ])
    func `is the failure of a notification if no other one has the transaction`(
        _ problem: Problem,
        _ code: ErrorCode
    ) async throws {
        for _ in 1...2 { server.thenRefuseTheConnection() }
        for _ in 1...2 { other.then(TransactionExchange.self, .refused(problem)) }
        let error = await #expect(throws: AuthenticationError.self) { _ = try await fetch() }
        #expect(error?.code == code)
    }

    @Test func `does not hide that another one has a transaction that cannot be shown`()
        async throws
    {
        for _ in 1...2 { server.thenRefuseTheConnection() }
        let transaction = try Transaction.sample(id: "T-2")
        other.then(TransactionExchange.self, .done(.init(transaction: transaction)))
        let error = await #expect(throws: AuthenticationError.self) { _ = try await fetch() }
        #expect(error?.code == .pushMismatch || error?.code == .transactionNotDisplayable)
    }

    // MARK: Several servers

    @Test func `has a failure of its own if nothing is pending at another one`() async throws {
        _ = try await home.addAccount("4711", of: server)
        _ = try await home.addAccount("4712", of: other) { $0.place = 1 }
        for _ in 1...4 { server.thenRefuseTheConnection() }
        for _ in 1...2 {
            other.then(TransactionListExchange.self, .done(.init(transactions: [])))
        }
        let handler = try home.handler(board())
        let found = try await handler.pendingTransactions()
        #expect(found.transactions.isEmpty)
        #expect(found.failures.map(\.key.id) == ["4711"])
        #expect(found.failures.map(\.value.code) == [.networkUnavailable])
        let error = await #expect(throws: AuthenticationError.self) {
            _ = try await handler.pendingTransaction()
        }
        #expect(error?.code == .networkUnavailable)
        #expect(error?.account?.id == "4711")
    }

    @Test func `and a server that refuses are known by the account of the error`() async throws {
        _ = try await home.addAccount("4711", of: server)
        let account = try await home.addAccount("4712", of: other) { $0.place = 1 }
        let handler = try home.handler(Switchboard(servers: [server, other]))
        other.then(StatusExchange.self, .refused(.deviceRevoked))
        for _ in 1...2 { other.thenRefuseTheConnection() }
        other.then(LoginExchange.self, .refused(.credentialLocked(.never)))
        var errors: [AuthenticationError] = []
        for _ in 1...2 {
            do {
                _ = try await handler.profile(for: account.record.name)
            } catch {
                errors.append(error)
            }
        }
        do {
            let pin = try PIN.typed("271905")
            _ = try await handler.logIn(with: .pin(pin), signing: nil, for: account.record.name)
        } catch let error as AuthenticationError {
            errors.append(error)
        }
        #expect(errors.map(\.code) == [.deviceRevoked, .networkUnavailable, .credentialLocked])
        #expect(errors.allSatisfy { $0.account == account.record.name })
    }

    @Test func `has no account in the error of an activation`() async throws {
        let activation = try ScriptedActivation(at: server)
        for _ in 1...2 { server.thenRefuseTheConnection() }
        let error = await #expect(throws: AuthenticationError.self) {
            _ = try await home.handler(server).verifyActivation(activation.inHand())
        }
        #expect(error?.code == .networkUnavailable)
        #expect(error?.account == nil)
    }

    @Test func `does not delay the recovery at another one`() async throws {
        try await addAccounts(isPINChanging: true)
        let active = try #require(
            try home.vault().accounts().first { $0.record.account.id.text == "4712" }
        )
        for _ in 1...2 { server.thenRefuseTheConnection() }
        other.thenTellStatus(of: active)
        try await home.handler(board()).recover()
        let records = try home.vault().accounts().map(\.record)
        #expect(records.map(\.needsRecovery) == [true, false])
    }
}
