import Testing
import TransactionApproval
import Verifier
import VerifierWorld

private let minute = Duration.seconds(60)

@Suite(.onEveryStore) struct `A request of the bank` {
    @Test func `SEC-33: is the fourth that would wait, and is refused`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let first = try await bank.pay()
        for _ in 0..<2 { _ = try await bank.pay() }
        try await bank.restart()
        #expect(try await bank.ask() == .tooManyPending)
        try await phone.decide(.reject(.noLongerWanted), on: first, in: bank)
        #expect(try await bank.isAsked())
    }

    @Test func `SEC-33: is the fourth that would wait though the newest was approved`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<2 { _ = try await bank.pay() }
        bank.clock.advance(by: .milliseconds(1))
        try await phone.decide(on: try await bank.pay(), in: bank)
        bank.clock.advance(by: .milliseconds(1))
        _ = try await bank.pay()
        #expect(try await bank.ask() == .tooManyPending)
    }

    @Test func `SEC-33: is the sixth in ten minutes, and is refused without a push`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let start = bank.clock.now
        for _ in 0..<5 {
            let payment = try await bank.pay()
            try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
        }
        let pushes = try await bank.pushes()
        bank.clock.advance(by: minute * 10 - .milliseconds(1))
        #expect(try await bank.ask() == .tooMany(until: start + minute * 10))
        #expect(try await bank.pushes() == pushes)
        #expect(pushes == 5)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.isAsked())
    }

    @Test func `SEC-33: is made without a push for a day after "not me"`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        #expect(try await bank.count(of: .personDenied) == 1)
        try await bank.restart()
        bank.clock.advance(by: minute * 60 * 24 - .milliseconds(1))
        #expect(try await bank.isAsked())
        #expect(try await bank.pushes() == 1)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.isAsked())
        #expect(try await bank.pushes() == 2)
    }

    @Test func `SEC-33: of one account says nothing of another`() async throws {
        let bank = try await Bank()
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        _ = (try await bank.activate(), try await bank.activate(other))
        for _ in 0..<3 { _ = try await bank.pay() }
        #expect(try await bank.ask() == .tooManyPending)
        _ = try await bank.pay(from: other)
    }

    @Test func `needs an account and a device that could answer`() async throws {
        let bank = try await Bank()
        #expect(try await bank.ask(Bank.account("none")) == .unknownAccount)
        #expect(try await bank.ask() == .noActiveDevice)
        let phone = try await bank.activate()
        #expect(try await bank.isAsked())
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: Bank.core)
        #expect(try await bank.ask() == .noActiveDevice)
    }

    @Test func `lives as long as the enterprise says, on the verifier's clock`() async throws {
        let bank = try await Bank(policy: #"{"transactionSeconds": 600}"#)
        _ = try await bank.activate()
        let payment = try await bank.pay()
        #expect(payment.created == bank.clock.now)
        #expect(payment.deadline == bank.clock.now + minute * 10)
    }

    @Test func `is taken back once, and not after its end`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (first, second) = (try await bank.pay(), try await bank.pay())
        let withdraw = { (id: TransactionID, account: AccountReference) in
            try await bank.verifier.withdraw(id, of: account, by: Bank.core)
        }
        #expect(try await withdraw(first.id, Bank.account("4712")) == nil)
        #expect(try await withdraw(first.id, Bank.account) == true)
        #expect(try await withdraw(first.id, Bank.account) == false)
        let answer = try await phone.decide(on: first, in: bank)
        #expect(answer == .refused(.alreadyDecided(.withdrawn)))
        bank.clock.advance(by: minute * 2)
        #expect(try await withdraw(second.id, Bank.account) == false)
        #expect(try await bank.count(of: .transactionWithdrawn) == 1)
    }

    @Test func `SEC-43: is for these very bytes, so no payee can be dropped or moved`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payees = try ["A", "B"].map { try Transaction.Payee.named($0) }
        let batches = [payees, payees.reversed(), [payees[0]], payees + [try .named("C")]]
        let payment = try await bank.ask(for: batches[0])
        for other in batches.dropFirst() {
            let changed = try payment.with(other)
            let attempt = try await phone.attempt(
                over: .decision(try TransactionHash(of: changed), .approve, nil),
                in: bank
            )
            let answer = try await phone.send(on: payment, attempt, to: bank.verifier)
            guard case .refused(.wrongCode) = answer else { throw Bank.Unexpected() }
        }
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }
}

extension Bank {
    fileprivate func ask(_ account: AccountReference = account) async throws -> TransactionAnswer {
        let request = TransactionRequest(account: account, content: try .payment(of: 1))
        return try await verifier.request(request, by: Self.core)
    }

    fileprivate func isAsked() async throws -> Bool {
        if case .created = try await ask() { true } else { false }
    }

    fileprivate func ask(for payees: [Transaction.Payee]) async throws -> Transaction {
        let content = try Transaction.Content.batch(to: payees)
        let request = TransactionRequest(account: Self.account, content: content)
        guard case .created(let made, _) = try await verifier.request(request, by: Self.core)
        else { throw Unexpected() }
        return made
    }

    /// How many pushes were written, whatever became of them.
    fileprivate func pushes() async throws -> Int {
        try await events().count { $0.kind == .transactionCreated && $0.detail == "notified" }
    }
}

extension Transaction.Payee {
    fileprivate static func named(_ name: String) throws -> Transaction.Payee {
        let account = try #require(AccountNumber("DE89370400440532013000"))
        return try Transaction.Payee(name: DisplayText(name), account: account)
    }
}

extension Transaction.Content {
    fileprivate static func batch(
        to payees: [Transaction.Payee]
    ) throws -> Transaction.Content {
        try Transaction.Content(
            context: .payment,
            title: DisplayText("Salaries"),
            amounts: [.of(100)],
            payees: payees
        )
    }
}

extension Transaction {
    /// The same with other payees.
    fileprivate func with(_ payees: [Payee]) throws -> Transaction {
        try Transaction(
            enterprise: enterprise,
            id: id,
            account: account,
            content: .batch(to: payees),
            acceptedAuthentication: acceptedAuthentication,
            created: created,
            deadline: deadline,
            epoch: epoch,
            nonce: nonce
        )
    }
}
