import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let minute = Duration.seconds(60)

@Suite(.onAnyStore) struct `Approval requests of the bank` {
    @Test func `SEC-33: a fourth pending transaction is refused`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let first = try await bank.pay()
        for _ in 0..<2 { _ = try await bank.pay() }
        try await bank.restart()
        #expect(try await bank.request() == .tooManyPending(until: bank.clock.now + minute * 2))
        try await phone.decide(.reject(.noLongerWanted), on: first, in: bank)
        #expect(try await bank.canRequest())
    }

    @Test
    func `SEC-33: a fourth pending transaction is refused even after the newest was approved`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<2 { _ = try await bank.pay() }
        bank.clock.advance(by: .milliseconds(1))
        try await phone.decide(on: try await bank.pay(), in: bank)
        bank.clock.advance(by: .milliseconds(1))
        _ = try await bank.pay()
        #expect(
            try await bank.request()
                == .tooManyPending(until: bank.clock.now + minute * 2 - .milliseconds(2))
        )
    }

    @Test func `SEC-33: the sixth request in ten minutes is refused without a push`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let start = bank.clock.now
        for _ in 0..<5 {
            let payment = try await bank.pay()
            try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
        }
        let pushes = try await bank.pushes()
        bank.clock.advance(by: minute * 10 - .milliseconds(1))
        #expect(try await bank.request() == .rateLimited(until: start + minute * 10))
        #expect(try await bank.pushes() == pushes)
        #expect(pushes == 5)
        try await bank.restart()
        #expect(try await bank.request() == .rateLimited(until: start + minute * 10))
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.canRequest())
    }

    @Test func `SEC-33: a node's push limit covers all accounts`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        try await bank.want(pushesOn: phone)
        try await bank.want(pushesOn: try await bank.activate(other))
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        bank.use(bank.verifier(over: bank.database, pushesPerMinute: 2))
        for _ in 0..<2 { #expect(try await bank.canRequest(other)) }
        let pushes = try await bank.pushes()
        #expect(try await bank.request(other) == .rateLimited(until: bank.clock.now + .seconds(30)))
        #expect(try await bank.pushes() == pushes)
        // A muted account gets no push.
        #expect(try await bank.canRequest())
        bank.clock.advance(by: .seconds(30))
        #expect(try await bank.canRequest(other))
    }

    @Test func `SEC-33: the push limit counts devices that want pushes, not requests`() async throws
    {
        var bank = try await Bank()
        let first = try await bank.activate()
        _ = try await bank.activate()
        bank.use(bank.verifier(over: bank.database, pushesPerMinute: 2))
        // No device wants pushes.
        for _ in 0..<3 { _ = try await bank.pay() }
        bank.clock.advance(by: minute * 11)
        try await bank.want(pushesOn: first)
        for _ in 0..<2 { #expect(try await bank.canRequest()) }
        // The time of the store is ahead: the second device came after the first.
        #expect(try await bank.request() == .rateLimited(until: bank.verifier.now + .seconds(30)))
        bank.clock.advance(by: minute * 11)
        // Two pushes for one request.
        try await bank.want(pushesOn: try await bank.activate())
        #expect(try await bank.canRequest())
        #expect(try await bank.request() == .rateLimited(until: bank.verifier.now + .seconds(60)))
        // A revoked device gets no push.
        try await bank.revoke(first)
        bank.clock.advance(by: .seconds(60))
        for _ in 0..<2 { #expect(try await bank.canRequest()) }
    }

    @Test func `SEC-33: a request whose job runs again counts its pushes once`() async throws {
        var bank = try await Bank()
        try await bank.want(pushesOn: try await bank.activate())
        let store = RerunningDatabase(store: bank.database)
        bank.use(bank.verifier(over: store, pushesPerMinute: 2))
        for _ in 0..<2 { #expect(try await bank.canRequest()) }
        #expect(try await bank.request() == .rateLimited(until: bank.clock.now + .seconds(30)))
    }

    @Test func `SEC-33: after "not me" requests cause no push for a day`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        #expect(try await bank.count(of: .personDenied) == 1)
        try await bank.restart()
        bank.clock.advance(by: minute * 60 * 24 - .milliseconds(1))
        #expect(try await bank.canRequest())
        #expect(try await bank.pushes() == 1)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.canRequest())
        #expect(try await bank.pushes() == 2)
    }

    @Test func `SEC-33: the 21st request in a day without an approval is refused`()
        async throws
    {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let start = bank.clock.now
        let last = try await bank.askAllDay(phone)
        #expect(try await bank.request() == .rateLimited(until: start + minute * 60 * 24))
        try await bank.restart()
        #expect(try await bank.request() == .rateLimited(until: start + minute * 60 * 24))
        #expect(try await phone.decide(on: last, in: bank) == .accepted(nil))
        try await bank.restart()
        #expect(try await bank.canRequest())
    }

    @Test func `SEC-33: the daily limit ends after exactly a day`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let end = bank.clock.now + minute * 60 * 24
        _ = try await bank.askAllDay(phone)
        bank.clock.advance(by: end.elapsed(since: bank.clock.now) - .milliseconds(1))
        try await bank.restart()
        #expect(try await bank.request() == .rateLimited(until: end))
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.canRequest())
    }

    @Test func `SEC-33: linked accounts share the request limit`()
        async throws
    {
        let (bank, phones, accounts) = try await bankOfOnePerson()
        for account in accounts { _ = try await bank.pay(from: account) }
        #expect(
            try await bank.request(accounts[0])
                == .tooManyPending(until: bank.clock.now + minute * 2)
        )
        bank.clock.advance(by: minute * 2)
        let start = bank.clock.now - minute * 2
        for index in 0..<2 { _ = try await bank.pay(from: accounts[index]) }
        for account in accounts {
            #expect(try await bank.request(account) == .rateLimited(until: start + minute * 10))
        }
        let (stranger, _) = try await bank.activate("4799")
        #expect(try await bank.canRequest(stranger))
        bank.clock.advance(by: minute * 8)
        let payment = try await bank.pay(from: accounts[2])
        #expect(try await phones[2].decide(on: payment, in: bank) == .accepted(nil))
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await bank.canRequest(accounts[0]))
    }

    @Test func `SEC-33: linked accounts share the daily limit, which any approval resets`()
        async throws
    {
        let (bank, phones, accounts) = try await bankOfOnePerson()
        let start = bank.clock.now
        for number in 0..<20 {
            bank.clock.advance(by: minute * 11)
            _ = try await bank.pay(from: accounts[number % 3])
        }
        let end = start + minute * 11 + minute * 60 * 24
        for account in accounts {
            #expect(try await bank.request(account) == .rateLimited(until: end))
        }
        let phone = phones[1].id
        let pending = try await bank.verifier.pendingTransactions(for: phone).value
        let oldest = try #require(pending?.first)
        let found = try await bank.verifier.transaction(oldest, for: phone).value
        let payment = try #require(found?.transaction)
        #expect(try await phones[1].decide(on: payment, in: bank) == .accepted(nil))
        for account in accounts { #expect(try await bank.canRequest(account)) }
    }

    @Test func `SEC-33: "not me" on one account mutes all linked accounts`()
        async throws
    {
        let (bank, phones, accounts) = try await bankOfOnePerson()
        let (stranger, _) = try await bank.activate("4799")
        let payment = try await bank.pay(from: accounts[1])
        try await phones[1].decide(.reject(.notMe), on: payment, in: bank)
        for account in accounts { #expect(try await bank.canRequest(account)) }
        #expect(try await bank.pushes() == 1)
        #expect(try await bank.canRequest(stranger))
        #expect(try await bank.pushes() == 2)
        bank.clock.advance(by: minute * 60 * 24)
        #expect(try await bank.canRequest(accounts[2]))
        #expect(try await bank.pushes() == 3)
    }

    private func bankOfOnePerson() async throws -> (Bank, [Phone], [AccountReference]) {
        let bank = try await Bank()
        let linked = [
            try await bank.addLinkedAccount("4712"), try await bank.addLinkedAccount("4713"),
        ]
        return (bank, try await bank.activateAll(Bank.account, 3), [Bank.account] + linked)
    }

    @Test func `SEC-33: accounts that are not linked have separate limits`() async throws {
        let bank = try await Bank()
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        _ = (try await bank.activate(), try await bank.activate(other))
        for _ in 0..<3 { _ = try await bank.pay() }
        #expect(try await bank.request() == .tooManyPending(until: bank.clock.now + minute * 2))
        _ = try await bank.pay(from: other)
    }

    @Test func `a request needs an account and a device that can decide`() async throws {
        let bank = try await Bank(policy: #"{"minimumTokenDigits": 6}"#)
        #expect(try await bank.request(Bank.account("none")) == .unknownAccount)
        #expect(try await bank.request() == .noActiveDevice)
        _ = try await SimulatedToken(in: bank)
        #expect(try await bank.request() == .noActiveDevice)
        let phone = try await bank.activate()
        #expect(try await bank.canRequest())
        _ = try await bank.verifier.revoke(phone.id, of: Bank.account, by: Bank.core)
        #expect(try await bank.request() == .noActiveDevice)
    }

    @Test func `a transaction expires after the policy's duration, on the verifier's clock`()
        async throws
    {
        let bank = try await Bank(policy: #"{"transactionSeconds": 600}"#)
        _ = try await bank.activate()
        let payment = try await bank.pay()
        #expect(payment.created == bank.clock.now)
        #expect(payment.deadline == bank.clock.now + minute * 10)
    }

    @Test func `a transaction can be withdrawn once, and not after its end`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (first, second) = (try await bank.pay(), try await bank.pay())
        let withdraw = { (id: TransactionID, account: AccountReference) in
            try await bank.verifier.withdraw(id, of: account, by: Bank.core)
        }
        #expect(try await withdraw(first.id, Bank.account("4712")) == .unknown)
        #expect(try await withdraw(first.id, Bank.account) == .done)
        #expect(try await withdraw(first.id, Bank.account) == .ended)
        let result = try await phone.decide(on: first, in: bank)
        #expect(result == .refused(.alreadyDecided(.withdrawn)))
        bank.clock.advance(by: minute * 2)
        #expect(try await withdraw(second.id, Bank.account) == .ended)
        #expect(try await bank.count(of: .transactionWithdrawn) == 1)
    }

    @Test func `SEC-43: a decision covers the exact bytes, so no payee can be dropped or moved`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payees = try ["A", "B"].map { try Transaction.Payee.named($0) }
        let batches = [payees, payees.reversed(), [payees[0]], payees + [try .named("C")]]
        let payment = try await bank.request(for: batches[0])
        for other in batches.dropFirst() {
            let changed = try payment.with(other)
            let attempt = try await phone.attempt(
                over: .decision(try TransactionHash(of: changed), .approve, nil),
                in: bank
            )
            let result = try await phone.send(on: payment, attempt, to: bank.verifier)
            guard case .refused(.wrongCode) = result else { throw Bank.Unexpected() }
        }
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }
}

extension Bank {
    func request(_ account: AccountReference = account) async throws
        -> TransactionResult
    {
        let request = TransactionRequest(account: account, content: try .payment(of: 1))
        return try await verifier.request(request, by: Self.core)
    }

    func canRequest(_ account: AccountReference = account) async throws -> Bool {
        if case .created = try await request(account) { true } else { false }
    }

    /// Requests twenty transactions without an approval; returns the last one, which is pending.
    fileprivate func askAllDay(_ phone: Phone) async throws -> Transaction {
        for number in 0..<19 {
            let payment = try await pay()
            switch number % 3 {
            case 0: try await phone.decide(.reject(.wrongDetails), on: payment, in: self)
            case 1: _ = try await verifier.withdraw(payment.id, of: Self.account, by: Self.core)
            default: break
            }
            clock.advance(by: minute * 11)
        }
        return try await pay()
    }

    fileprivate func request(for payees: [Transaction.Payee]) async throws -> Transaction {
        let content = try Transaction.Content.batch(to: payees)
        let request = TransactionRequest(account: Self.account, content: content)
        guard case .created(let created, _) = try await verifier.request(request, by: Self.core)
        else { throw Unexpected() }
        return created
    }

    /// The number of pushes written so far.
    fileprivate func pushes() async throws -> Int {
        try await events().count { $0.kind == .transactionCreated && $0.detail == "notified" }
    }
}

extension Bank {
    func want(pushesOn phone: Phone) async throws {
        _ = try await verifier.setPush(.events, on: phone.id, attempt: .random())
    }
}

extension Transaction.Payee {
    fileprivate static func named(_ name: String) throws -> Transaction.Payee {
        let account = try #require(AccountNumber("DE89370400440532013000"))
        return try Transaction.Payee(name: DisplayText(name), recipient: .account(account))
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
    /// The same content with other payees.
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
