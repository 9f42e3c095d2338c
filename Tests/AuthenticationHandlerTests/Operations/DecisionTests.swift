import OneTimePassword
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `Decisions of a person` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    private func fetch(
        _ handler: AuthenticationHandler,
        _ transaction: Transaction,
        digits: TypedNumber.Length? = nil,
        andStatusOf account: OpenAccount? = nil
    ) async throws -> PendingTransaction {
        let response = TransactionExchange.Response(transaction: transaction, typedDigits: digits)
        server.then(TransactionExchange.self, .done(response))
        if let account { server.thenTellStatus(of: account) }
        let push = #"{"sa_transaction_id":"T-1","account_id":"4711","account_type":"main"}"#
        return try await handler.pendingTransaction(push: Array(push.utf8))
    }

    @Test func `cover everything that was shown (SEC-40)`() async throws {
        _ = try await home.addAccount(of: server)
        let pending = try await fetch(try home.handler(server), .sample())
        #expect(pending.title == "Transfer")
        #expect(pending.amounts.map(\.formatted) == ["47.11 EUR"])
        #expect(pending.payees == [.init(name: "Shop", recipient: .account("A1"))])
        #expect(pending.context == .payment)
        #expect(pending.authenticationTypes == [.consent, .userPIN])
    }

    @Test(arguments: [
        (AuthenticationType.consent, CredentialKind.device), (.userPIN, .user),
    ])
    func `contain a code of the right credential and the device's signature (SEC-34)`(
        _ type: AuthenticationType,
        _ kind: CredentialKind
    ) async throws {
        let account = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let transaction = try Transaction.sample()
        let pending = try await fetch(handler, transaction, digits: .two)
        server.then(DecisionExchange.self, .done(NoContent()))
        switch type {
        case .consent:
            try await handler.approve(pending, with: .consent, typedNumber: "42")
        default:
            let pin = try PIN.typed("271905")
            try await handler.approve(pending, with: .pin(pin), typedNumber: "42")
        }
        let question = InBandQuestion.decision(
            try TransactionHash(of: transaction),
            .approve,
            TypedNumber("42")
        )
        try await expectDecision(.approve(type), kind, question, transaction, account)
    }

    @Test func `to reject use the device credential and need no PIN`() async throws {
        let account = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let transaction = try Transaction.sample(accepting: .userPIN)
        let pending = try await fetch(handler, transaction, digits: .six)
        server.then(DecisionExchange.self, .done(NoContent()))
        try await handler.reject(pending, reason: .notMe)
        let question = InBandQuestion.decision(
            try TransactionHash(of: transaction),
            .reject(.notMe),
            nil
        )
        try await expectDecision(.reject(.notMe), .device, question, transaction, account)
    }

    private func expectDecision(
        _ choice: DecisionExchange.Choice,
        _ kind: CredentialKind,
        _ question: InBandQuestion,
        _ transaction: Transaction,
        _ account: OpenAccount
    ) async throws {
        let body = try #require(server.requests.last).message.body
        let request = try DecisionExchange.Request(reading: body)
        #expect(request.choice == choice)
        let context = account.record.context(
            kind,
            of: try account.record.credential(kind).unwrapped()
        )
        let seed =
            kind == .user
            ? try await account.userSeed(PIN.typed("271905")) : try account.deviceSeed()
        let codes = try InBandCodes(of: context, seed: seed)
        let code = try codes.code(for: question, in: Epoch(0), at: Counter(7))
        #expect(request.envelope.code.code == code)
        let evidence = DecisionEvidence(
            of: choice,
            on: try TransactionHash(of: transaction),
            by: account.record.device,
            request.envelope
        )
        let key = account.secrets.key.publicKey
        #expect(try evidence.signed(with: request.evidence, by: key) != nil)
    }

    // MARK: Refusals on the device

    @Test(arguments: [
        (
            #"{"sa_transaction_id":"T-2","account_id":"4711","account_type":"main"}"#,
            ErrorCode.pushMismatch
        ),
        (
            #"{"sa_transaction_id":"T-1","account_id":"4712","account_type":"main"}"#, .pushMismatch
        ),
        (#"{"sa_transaction_id":"T-1","account_id":"4711"}"#, .pushMalformed),
        ("", .pushMalformed),
    ])
    func `need a push that matches the transaction (SEC-35)`(
        _ push: String,
        _ code: ErrorCode
    ) async throws {
        _ = try await home.addAccount(of: server)
        let response = TransactionExchange.Response(transaction: try .sample())
        server.then(TransactionExchange.self, .done(response))
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.pendingTransaction(push: Array(push.utf8))
        }
        #expect(error?.code == code)
    }

    @Test func `report a lost account, and no forged notification, if a push names it`()
        async throws
    {
        let account = try await home.addAccount(of: server)
        let secrets = SecretFolder(home.secretsPath)
        try secrets.delete(named: account.record.device.description)
        let push = #"{"sa_transaction_id":"T-1","account_id":"4711","account_type":"main"}"#
        await #expect(throws: AuthenticationError(.deviceSecretMissing)) {
            try await home.handler(server).pendingTransaction(push: Array(push.utf8))
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [("bank", "4712"), ("otherBank", "4711")])
    func `need an account of this device if no notification names it`(
        _ enterprise: String,
        _ id: String
    ) async throws {
        let account = try await home.addAccount(of: server)
        server.thenTellStatus(of: account)
        let handler = try home.handler(server)
        let other = try #require(Account(enterprise: enterprise, type: "main", id: id))
        await #expect(throws: AuthenticationError(.noAccountActivated)) {
            try await handler.pendingTransaction(id: "T-1", of: other)
        }
    }

    @Test func `apply to the account of the transaction only (SEC-31)`() async throws {
        let account = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let error = await #expect(throws: AuthenticationError.self) {
            try await fetch(handler, .sample("4712"), andStatusOf: account)
        }
        #expect(error?.code == .pushMismatch)
    }

    @Test func `use only types that the transaction accepts (SEC-65)`() async throws {
        _ = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let pending = try await fetch(handler, .sample(accepting: .userPIN))
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(pending, with: .consent)
        }
        #expect(error?.code == .authenticationTypeNotAllowed)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [nil, "4", "421", "4x", "٤٢"] as [String?])
    func `need the number that the bank shows (SEC-32)`(
        _ number: String?
    ) async throws {
        _ = try await home.addAccount(of: server)
        let handler = try home.handler(server)
        let pending = try await fetch(handler, .sample(), digits: .two)
        let error = await #expect(throws: AuthenticationError.self) {
            try await handler.approve(pending, with: .consent, typedNumber: number)
        }
        #expect(error?.code == .invalidArgument)
        #expect(server.requests.count == 1)
    }

    @Test func `are not needed if nothing is pending`() async throws {
        _ = try await home.addAccount(of: server)
        server.then(TransactionListExchange.self, .done(.init(transactions: [])))
        #expect(try await home.handler(server).pendingTransaction() == nil as PendingTransaction?)
    }
}

extension Optional where Wrapped == PendingTransaction {
    fileprivate static func == (left: Self, right: Self) -> Bool { left?.id == right?.id }
}
