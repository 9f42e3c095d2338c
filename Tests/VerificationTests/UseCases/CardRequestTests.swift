import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let minute = Duration.seconds(60)

@Suite(.onAnyStore) struct `Requests because of card payments` {
    @Test func `SEC-84: do not use up the bank's own requests`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<3 { _ = try await bank.payByCard() }
        let full = TransactionResult.tooManyPending(until: bank.clock.now + minute * 2)
        #expect(try await bank.requestCard() == full)
        try await bank.restart()
        #expect(try await bank.requestCard() == full)
        for _ in 0..<3 { #expect(try await bank.canRequest()) }
        #expect(try await bank.request() == full)
        // An approval proves the person, so both counts begin again.
        bank.clock.advance(by: minute * 2)
        try await phone.decide(on: try await bank.payByCard(), in: bank)
        bank.clock.advance(by: .milliseconds(1))
        for _ in 0..<3 { _ = try await bank.payByCard() }
        for _ in 0..<3 { #expect(try await bank.canRequest()) }
    }

    @Test func `SEC-84: a thief with a card number leaves all requests of a day to the bank`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        var refusals = 0
        for _ in 0..<100 {
            switch try await bank.requestCard() {
            case .created(let payment, _):
                try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
            case .rateLimited: refusals += 1
            default: throw Bank.Unexpected()
            }
            bank.clock.advance(by: minute * 4)
        }
        #expect(refusals == 80)
        for _ in 0..<20 {
            let payment = try await bank.pay()
            try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
            bank.clock.advance(by: minute * 3)
        }
        guard case .rateLimited = try await bank.request() else { throw Bank.Unexpected() }
    }

    @Test func `SEC-84: do not use up the bank's push limit, on any account`() async throws {
        var bank = try await Bank()
        try await bank.want(pushesOn: try await bank.activate())
        bank.use(bank.verifier(over: bank.database, pushesPerMinute: 1))
        _ = try await bank.payByCard()
        #expect(try await bank.requestCard() == .rateLimited(until: bank.clock.now + minute))
        #expect(try await bank.canRequest())
        #expect(try await bank.request() == .rateLimited(until: bank.clock.now + minute))
    }

    @Test func `have the limits of the policy`() async throws {
        let bank = try await Bank(policy: #"{"cards": {"requestsInTenMinutes": 1}}"#)
        _ = try await bank.activate()
        let start = bank.clock.now
        _ = try await bank.payByCard()
        #expect(try await bank.requestCard() == .rateLimited(until: start + minute * 10))
        for _ in 0..<3 { #expect(try await bank.canRequest()) }
    }

    @Test func `SEC-33: "not me" mutes the requests of both sources`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.decide(.reject(.notMe), on: try await bank.payByCard(), in: bank)
        _ = try await bank.pay()
        _ = try await bank.payByCard()
        let details = try await bank.events().filter { $0.kind == .transactionCreated }
            .map(\.detail)
        #expect(details == ["notified cards", "muted", "muted cards"])
    }

    @Test func `keep their source in the archive`() async throws {
        var bank = try await Bank()
        let phone = try await bank.activate()
        let (own, card) = (try await bank.pay(), try await bank.payByCard())
        for payment in [own, card] { try await phone.decide(on: payment, in: bank) }
        bank.clock.advance(by: .seconds(400 * 24 * 60 * 60))
        for _ in 0..<9 { _ = try await bank.verifier.applyRetention(batch: 9) }
        try await bank.restart()
        let shown = try await bank.verifier.transactions(of: Bank.account, limit: 9)
        let sources = shown?.transactions.map { ($0.transaction.id, $0.source) } ?? []
        #expect(Dictionary(uniqueKeysWithValues: sources) == [own.id: .bank, card.id: .cards])
    }

    @Test func `end at the time that the bank chooses, within the policy`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.payByCard(for: .seconds(30))
        #expect(payment.deadline == bank.clock.now + .seconds(30))
        let longest = try await bank.payByCard(for: .seconds(120))
        #expect(longest.deadline == bank.clock.now + .seconds(120))
        let refused = try await bank.requestCard(for: .seconds(121))
        #expect(refused == .refused([.lifetime(maximum: .seconds(120))]))
        bank.clock.advance(by: .seconds(30))
        let late = try await phone.decide(on: payment, in: bank)
        #expect(late == .refused(.transactionExpired))
    }

    @Test func `return to any website, if the policy lists all, unlike requests of the bank`()
        async throws
    {
        let bank = try await Bank(policy: #"{"returnAddresses": ["https://*"]}"#)
        _ = try await bank.activate()
        let shop = try ReturnURL("https://shop.example/back?transID=1").unwrapped()
        guard case .created = try await bank.requestCard(returningTo: shop) else {
            throw Bank.Unexpected()
        }
        let own = TransactionRequest(
            account: Bank.account,
            content: try .payment(of: 1),
            returnURL: shop
        )
        let refused = TransactionResult.refused([.returnURL(shop)])
        #expect(try await bank.verifier.request(own, by: Bank.core) == refused)
        let app = try ReturnURL("com.shop.app://back").unwrapped()
        #expect(try await bank.requestCard(returningTo: app) == .refused([.returnURL(app)]))
        try await bank.setPolicy("{}")
        #expect(try await bank.requestCard(returningTo: shop) == refused)
    }

    @Test func `SEC-84: pay merchants, or are actions, and are never logins`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        let title = try DisplayText("Log in")
        let contents = try [
            Transaction.Content.payment(of: 1), .init(context: .login, title: title),
            .init(context: .action, title: title),
        ]
        let results = [false, false, true]
        for (content, isAccepted) in zip(contents, results) {
            let request = TransactionRequest(
                account: Bank.account,
                content: content,
                source: .cards
            )
            let result = try await bank.verifier.request(request, by: Bank.core)
            if isAccepted {
                guard case .created = result else { throw Bank.Unexpected() }
            } else {
                #expect(result == .refused([.source]))
            }
        }
    }

    @Test func `are withdrawn by a program that may change only them`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        let (own, card) = (try await bank.pay(), try await bank.payByCard())
        for (payment, expected) in [(own, Verifier.WithdrawalResult.unknown), (card, .done)] {
            let result = try await bank.verifier.withdraw(
                payment.id,
                of: Bank.account,
                from: [.cards],
                by: Bank.core
            )
            #expect(result == expected)
        }
    }
}

@Suite(.onAnyStore) struct `The readiness of an account` {
    @Test func `needs an active device with a credential that is not locked`() async throws {
        let bank = try await Bank()
        #expect(try await bank.verifier.readiness(of: Bank.account("0"), for: .cards) == nil)
        #expect(try await bank.readiness().authentication == [])
        let phone = try await bank.activate()
        let ready = try await bank.readiness()
        #expect((ready.authentication, ready.isReady, ready.isMuted) == (.userPIN, true, false))
        try await phone.failUntilLocked(in: bank)
        #expect(try await bank.readiness().authentication == [])
        let other = try await bank.activate()
        #expect(try await bank.readiness() == ready)
        #expect(try await bank.revoke(other) == .done)
        #expect(try await !bank.readiness().isReady)
    }

    @Test func `has the authentication types of the policy`() async throws {
        let bank = try await Bank(policy: #"{"authentication": ["userPIN", "consent"]}"#)
        _ = try await bank.activate()
        #expect(try await bank.readiness().authentication == [.userPIN, .consent])
        try await bank.setPolicy(#"{"authentication": ["consent"]}"#)
        #expect(try await bank.readiness().authentication == .consent)
    }

    @Test func `has the limits of the source, and the mute`() async throws {
        let bank = try await Bank(policy: #"{"cards": {"pendingTransactions": 1}}"#)
        let phone = try await bank.activate()
        let payment = try await bank.payByCard()
        #expect(try await bank.readiness(for: .bank).isReady)
        #expect(try await bank.readiness().nextRequest == payment.deadline)
        try await phone.decide(.reject(.notMe), on: payment, in: bank)
        let muted = try await bank.readiness()
        #expect((muted.isReady, muted.isMuted) == (true, true))
    }
}

@Suite(.onAnyStore) struct `The ends of many transactions` {
    private let bank: Bank
    private let phone: Phone

    init() async throws {
        bank = try await Bank()
        phone = try await bank.activate()
    }

    @Test func `are returned at once if there are some`() async throws {
        let (own, card) = (try await bank.pay(), try await bank.payByCard())
        #expect(try await ends([own, card]).isEmpty)
        #expect(try await ends([own, card], from: [.cards]).unknown == [own.id])
        let foreign = try await bank.verifier.ends(
            among: [card.id],
            of: EnterpriseID("other").unwrapped(),
            from: [.cards],
            within: .zero
        )
        #expect(foreign.unknown == [card.id])
        try await phone.decide(on: card, in: bank)
        let ended = try await ends([own, card], within: .seconds(60)).ended
        #expect(ended.map(\.transaction) == [card])
        #expect(ended.first?.state == .closed(.approved(with: .userPIN, by: phone.id), at: now))
        bank.clock.advance(by: minute * 2)
        #expect(try await ends([own]).ended.map(\.state) == [.closed(.expired, at: now)])
    }

    @Test func `are awaited over many accounts`() async throws {
        var payments = [try await bank.pay()]
        var phones = [phone]
        for number in 0..<5 {
            let account = Bank.account("9\(number)")
            _ = try await bank.verifier.addAccount(account, by: Bank.core)
            phones.append(try await bank.activate(account))
            payments.append(try await bank.pay(from: account))
        }
        for (phone, payment) in zip(phones, payments) {
            let awaited = payments
            async let found = ends(awaited, within: .seconds(60))
            try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
            #expect(try await found.ended.map(\.transaction) == [payment])
            payments.removeAll { $0 == payment }
        }
    }

    /// They are read in parts, so that other reads need not wait.
    @Test func `are found among many transactions`() async throws {
        var payments: [Transaction] = []
        for number in 0..<45 {
            let account = Bank.account("8\(number)")
            _ = try await bank.verifier.addAccount(account, by: Bank.core)
            let phone = try await bank.activate(account)
            payments.append(try await bank.pay(from: account))
            if number % 9 == 0 { try await phone.decide(on: payments[number], in: bank) }
            if number % 11 == 1 { _ = try await bank.revoke(phone) }
        }
        let found = try await ends(payments, within: .seconds(60))
        #expect(found.ended.count == 5 && found.unknown.isEmpty)
        #expect(Set(found.withoutDevice) == Set(found.unapprovable))
        #expect(found.unapprovable.count == 4)
    }

    @Test(arguments: [true, false])
    func `include transactions that no device can approve now`(_ isLocked: Bool) async throws {
        let payment = try await bank.payByCard()
        async let found = ends([payment], within: .seconds(60))
        if isLocked {
            try await phone.failUntilLocked(in: bank)
        } else {
            #expect(try await bank.revoke(phone) == .done)
        }
        let ends = try await found
        #expect(ends.unapprovable == [payment.id])
        #expect(ends.withoutDevice == (isLocked ? [] : [payment.id]))
        #expect(ends.ended.isEmpty && ends.unknown.isEmpty)
    }

    private var now: Timestamp { bank.clock.now }

    private func ends(
        _ transactions: [Transaction],
        from sources: Set<RequestSource> = [.bank, .cards],
        within timeout: Duration = .zero
    ) async throws -> TransactionEnds {
        try await bank.verifier.ends(
            among: Set(transactions.map(\.id)),
            of: Bank.enterprise,
            from: sources,
            within: timeout
        )
    }
}

extension Bank {
    fileprivate func requestCard(
        for lifetime: Duration? = nil,
        returningTo url: ReturnURL? = nil
    ) async throws -> TransactionResult {
        let request = TransactionRequest(
            account: Self.account,
            content: try .cardPayment(of: 47_11),
            returnURL: url,
            source: .cards,
            lifetime: lifetime
        )
        return try await verifier.request(request, by: Self.core)
    }

    fileprivate func payByCard(for lifetime: Duration? = nil) async throws -> Transaction {
        guard case .created(let created, _) = try await requestCard(for: lifetime) else {
            throw Unexpected()
        }
        return created
    }

    fileprivate func readiness(for source: RequestSource = .cards) async throws -> Readiness {
        try await verifier.readiness(of: Self.account, for: source).unwrapped()
    }
}
