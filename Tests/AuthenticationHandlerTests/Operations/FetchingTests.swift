import Foundation
import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `Deciding the next transaction` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    private func offer(_ transactions: Transaction...) {
        server.then(
            TransactionListExchange.self,
            .done(.init(transactions: transactions.map(\.id)))
        )
        for transaction in transactions {
            server.then(TransactionExchange.self, .done(.init(transaction: transaction)))
        }
    }

    private func fetch(
        _ confirm: @Sendable (PendingTransaction) async -> UserDecision = { _ in
            .approve(with: .consent)
        }
    ) async throws -> ApprovalResult? {
        try await home.handler(server).decideNextTransaction(confirm: confirm)
    }

    private func lastChoice() throws -> DecisionExchange.Choice {
        let body = try #require(server.requests.last).message.body
        return try DecisionExchange.Request(reading: body).choice
    }

    @Test func `approves if the person confirms`() async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample(returnURL: "https://bank.example/done"))
        server.then(DecisionExchange.self, .done(NoContent()))
        let result = try #require(try await fetch())
        #expect(result.isApproved)
        #expect(result.redirect == .url("https://bank.example/done"))
        #expect(try lastChoice() == .approve(.consent))
    }

    @Test func `rejects if the person rejects`() async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample())
        server.then(DecisionExchange.self, .done(NoContent()))
        let result = try #require(try await fetch { _ in .reject(.notMe) })
        #expect(result.outcome == .rejected(.notMe))
        #expect(result.redirect == .notRequested)
        #expect(try lastChoice() == .reject(.notMe))
    }

    @Test func `shows an undecided transaction again`() async throws {
        _ = try await home.addAccount(of: server)
        let url = "https://bank.example/done"
        offer(try .sample(id: "T-1", reference: "R", returnURL: url))
        let result = try #require(try await fetch { _ in .undecided })
        #expect(result.outcome == .undecided)
        #expect(result.redirect == .url(url))
        #expect(!result.isApproved)
        #expect(server.requests.count == 2, "asked for, and neither approved nor rejected")

        // The bank may have withdrawn it and created it again.
        offer(try .sample(id: "T-2", reference: "R"))
        server.then(DecisionExchange.self, .done(NoContent()))
        let later = try #require(try await fetch())
        #expect(later.transactionID == "T-2")
        #expect(later.outcome == .approved(.consent))
    }

    @Test func `returns no address that the bank does not allow`() async throws {
        let account = try await home.addAccount(of: server)
        offer(try .sample(returnURL: "https://bank.example.evil.example/done"))
        server.thenTellStatus(of: account)
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try #require(try await fetch()).redirect == .notAllowed)
    }

    @Test func `reports a transaction that cannot be shown, and shows the others (SEC-40)`()
        async throws
    {
        _ = try await home.addAccount(of: server)
        let (hidden, plain) = (try Transaction.sample(id: "T-1"), try Transaction.sample(id: "T-2"))
        let overridden = Array("Tra\u{202e}er".utf8)
        var bytes = hidden.canonicalBytes
        let place = try #require(bytes.firstRange(of: Array("Transfer".utf8)))
        bytes.replaceSubrange(place, with: overridden)
        let text = TextEncoding.base64URL.encode(bytes.span)
        let response = try TransactionExchange.Response(
            reading: Array(#"{"transaction":"\#(text)"}"#.utf8)
        )
        let list = TransactionListExchange.Response(transactions: [hidden.id, plain.id])
        server.then(TransactionListExchange.self, .done(list))
        server.then(TransactionExchange.self, .done(response))
        server.then(TransactionExchange.self, .done(.init(transaction: plain)))
        let handler = try home.handler(server)
        let found = try await handler.pendingTransactions()
        #expect(found.transactions.map(\.id) == ["T-2"])
        #expect(found.failures.map(\.value.code) == [.transactionNotDisplayable])
        server.then(TransactionListExchange.self, .done(.init(transactions: [hidden.id])))
        server.then(TransactionExchange.self, .done(response))
        let error = await #expect(throws: AuthenticationError.self) {
            _ = try await handler.pendingTransaction()
        }
        #expect(error?.code == .transactionNotDisplayable)
    }

    @Test func `reports a transaction that is not the listed one, and shows the others`()
        async throws
    {
        _ = try await home.addAccount(of: server)
        let (wrong, plain) = (try Transaction.sample(id: "T-9"), try Transaction.sample(id: "T-2"))
        let ids = [TransactionID(checked: "T-1"), plain.id]
        server.then(TransactionListExchange.self, .done(.init(transactions: ids)))
        for transaction in [wrong, plain] {
            server.then(TransactionExchange.self, .done(.init(transaction: transaction)))
        }
        let found = try await home.handler(server).pendingTransactions()
        #expect(found.transactions.map(\.id) == ["T-2"])
        #expect(found.failures.map(\.value.code) == [.pushMismatch])
    }

    @Test func `reports a transaction of another enterprise, and shows the others`()
        async throws
    {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", in: "other"), try .sample(id: "T-2"))
        let found = try await home.handler(server).pendingTransactions()
        #expect(found.transactions.map(\.id) == ["T-2"])
        #expect(found.failures.map(\.value.code) == [.pushMismatch])
    }

    @Test func `returns nil if nothing is pending`() async throws {
        _ = try await home.addAccount(of: server)
        offer()
        #expect(try await fetch() == nil)
    }

    @Test func `ignores a repeated reference, also after a restart`() async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        server.then(DecisionExchange.self, .done(NoContent()))
        _ = try await fetch()
        let before = server.requests.count
        offer(try .sample(id: "T-2", reference: "R"))
        server.then(TransactionExchange.self, .refused(.transactionAlreadyDecided(.approved)))
        #expect(try await fetch() == nil)
        #expect(server.requests.count == before + 3, "fetched, and neither approved nor rejected")

        offer(try .sample(id: "T-2", reference: "R"), try .sample(id: "T-3", reference: "other"))
        server.then(TransactionExchange.self, .refused(.transactionAlreadyDecided(.approved)))
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try await fetch()?.transactionID == "T-3")
    }

    @Test func `shows a repeated reference only if the first was refused`()
        async throws
    {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        server.then(DecisionExchange.self, .refused(.authenticationFailed(attemptsLeft: 4)))
        await #expect(throws: AuthenticationError.self) { try await fetch() }

        offer(try .sample(id: "T-2", reference: "R"))
        for _ in 0..<2 { server.then(DecisionExchange.self, .refused(.serverUnavailable)) }
        await #expect(throws: AuthenticationError.self) { try await fetch() }

        // The result of T-2 is unknown, and the verifier no longer has it.
        offer(try .sample(id: "T-3", reference: "R"))
        server.then(TransactionExchange.self, .refused(.unknownTransaction))
        #expect(try await fetch() == nil)
    }

    @Test(arguments: [true, false])
    func `hides a repeated reference if only the last attempt could not connect`(
        _ isLost: Bool
    ) async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        if isLost {
            server.thenLoseTheResponse()
        } else {
            server.then(DecisionExchange.self, .refused(.serverUnavailable))
        }
        server.thenRefuseTheConnection()
        let error = await #expect(throws: AuthenticationError.self) { try await fetch() }
        #expect(error?.code == (isLost ? .responseMissing : .serverUnavailable))
        offer(try .sample(id: "T-2", reference: "R"))
        server.then(TransactionExchange.self, .refused(.transactionAlreadyDecided(.approved)))
        #expect(try await fetch() == nil)
    }

    @Test(arguments: [
        [Problem.rateLimited(retryAfterSeconds: 30)], [.upgradeRequired],
        [.clockSkew(serverTime: ScriptedServer.now), .rateLimited(retryAfterSeconds: 30)],
        [.clockSkew(serverTime: ScriptedServer.now), .clockSkew(serverTime: ScriptedServer.now)],
        [.clockSkew(serverTime: ScriptedServer.now)],
    ])
    func `hides a repeated reference if a response was lost and its repetition was refused`(
        _ refusals: [Problem]
    ) async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        server.thenLoseTheResponse()
        for refusal in refusals { server.then(DecisionExchange.self, .refused(refusal)) }
        for _ in 0..<2 { server.thenRefuseTheConnection() }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch() }
        #expect(error?.code == .responseMissing)
        server.forget()
        offer(try .sample(id: "T-2", reference: "R"))
        server.then(TransactionExchange.self, .refused(.transactionAlreadyDecided(.approved)))
        #expect(try await fetch() == nil)
    }

    @Test func `shows a repeated reference if only the limit of requests refused the first`()
        async throws
    {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        server.then(DecisionExchange.self, .refused(.rateLimited(retryAfterSeconds: 30)))
        let error = await #expect(throws: AuthenticationError.self) { try await fetch() }
        #expect(error?.retryAfter == .seconds(30))
        offer(try .sample(id: "T-2", reference: "R"))
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try await fetch()?.transactionID == "T-2")
    }

    @Test func `forgets the reference if nothing was sent`() async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        for _ in 0..<2 { server.thenRefuseTheConnection() }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch() }
        #expect(error?.code == .networkUnavailable)
        offer(try .sample(id: "T-2", reference: "R"))
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try await fetch()?.transactionID == "T-2")
    }

    @Test(arguments: [Problem.transactionExpired, .transactionAlreadyDecided(.withdrawn)])
    func `shows a repeated reference if the first ended without a decision`(
        _ end: Problem
    ) async throws {
        _ = try await home.addAccount(of: server)
        offer(try .sample(id: "T-1", reference: "R"))
        for _ in 0..<2 { server.thenLoseTheResponse() }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch() }
        #expect(error?.code == .responseMissing)

        offer(try .sample(id: "T-2", reference: "R"))
        server.then(TransactionExchange.self, .refused(end))
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try await fetch()?.transactionID == "T-2")
    }

    @Test(arguments: ["CSVR", "", "CSVR\u{0}\u{1}zz", "CSVR\u{0}\u{2}zz", "x"])
    func `starts with no references if their file is damaged or of an earlier version`(
        _ content: String
    ) async throws {
        _ = try await home.addAccount(of: server)
        let path = home.vaultPath + "/references"
        try #require(FileManager.default.createFile(atPath: path, contents: Data(content.utf8)))
        try #require(chmod(path, 0o600) == 0)
        offer(try .sample(reference: "R"))
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try await fetch()?.isApproved == true)
        #expect(try home.vault().seenReferences().entries.count == 1)
    }

    @Test func `shows the same transaction again if the decision failed`() async throws {
        _ = try await home.addAccount(of: server)
        let transaction = try Transaction.sample(reference: "R")
        offer(transaction)
        for _ in 0..<2 { server.then(DecisionExchange.self, .refused(.serverUnavailable)) }
        await #expect(throws: AuthenticationError.self) { try await fetch() }
        offer(transaction)
        server.then(DecisionExchange.self, .done(NoContent()))
        #expect(try await fetch()?.isApproved == true)
    }
}

@Suite struct `Seen references` {
    private let server: ServerOrigin

    init() throws {
        server = try ServerOrigin("https://approve.bank.example").unwrapped()
    }

    @Test func `are read in exactly the stored form`() throws {
        var seen = SeenReferences()
        for number in 0..<3 {
            _ = seen.remember(
                try .sample(id: "T-\(number)", reference: "R-\(number)"),
                at: server
            )
        }
        #expect(try SeenReferences(seen.bytes) == seen)
        for count in seen.bytes.indices.dropFirst(7) {
            // At the end of an entry, the bytes are a shorter list: `try?`.
            let shorter = try? SeenReferences(Array(seen.bytes.prefix(count)))
            #expect(shorter == nil || (shorter?.entries.count ?? 3) < 3)
        }
        #expect(throws: AccountRecord.Failure.damaged) { try SeenReferences([1, 2, 3]) }
    }

    @Test func `are limited to the latest`() throws {
        var seen = SeenReferences()
        for number in 0..<300 {
            _ = seen.remember(
                try .sample(id: "T-\(number)", reference: "R-\(number)"),
                at: server
            )
        }
        #expect(seen.entries.count == SeenReferences.maximumEntries)
        #expect(seen.bytes.count <= SeenReferences.maximumByteCount)
        #expect(try seen.repeated(by: .sample(id: "X", reference: "R-299"), at: server).count == 1)
        #expect(try seen.repeated(by: .sample(id: "X", reference: "R-0"), at: server).isEmpty)
    }

    @Test func `are not written for transactions without a reference`() throws {
        var seen = SeenReferences()
        let nameless = seen.remember(try .sample(), at: server)
        let first = seen.remember(try .sample(reference: "R"), at: server)
        let again = seen.remember(try .sample(reference: "R"), at: server)
        #expect(!nameless && first && !again)
    }
}
