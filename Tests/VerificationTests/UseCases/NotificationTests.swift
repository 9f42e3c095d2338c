import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let half = Duration.seconds(30)

@Suite(.onAnyStore) struct `Another notification of a transaction` {
    private func bankWithAPhone() async throws -> (Bank, Phone) {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await bank.want(pushesOn: phone)
        return (bank, phone)
    }

    @Test func `SEC-33: is possible twice, each 30 seconds after the last one, over restarts`()
        async throws
    {
        var (bank, phone) = try await bankWithAPhone()
        let payment = try await bank.pay()
        for number in 1...2 {
            let next = bank.clock.now + half
            #expect(try await bank.notify(payment) == .refused(.tooSoon(until: next)))
            bank.clock.advance(by: half - .milliseconds(1))
            #expect(try await bank.notify(payment) == .refused(.tooSoon(until: next)))
            try await bank.restart()
            bank.clock.advance(by: .milliseconds(1))
            #expect(try await bank.notify(payment) == .notified)
            #expect(try await bank.pushes(of: payment, on: phone) == number + 1)
        }
        bank.clock.advance(by: half)
        for _ in 1...2 {
            #expect(try await bank.notify(payment) == .refused(.tooOften))
            try await bank.restart()
        }
        #expect(try await bank.pushes(of: payment, on: phone) == 3)
        // It is still the same transaction.
        #expect(try await bank.count(of: .transactionCreated) == 1)
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }

    @Test func `is on the audit trail with its number and its caller`() async throws {
        let (bank, _) = try await bankWithAPhone()
        let payment = try await bank.pay()
        for _ in 1...2 {
            bank.clock.advance(by: half)
            #expect(try await bank.notify(payment) == .notified)
            #expect(try await bank.notify(payment) != .notified)
        }
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: 100)
        }.filter { $0.event.kind == .transactionNotified }
        #expect(records.map(\.event.detail) == ["1", "2"])
        #expect(records.allSatisfy { $0.event.subject == "\(payment.id)" })
        #expect(records.allSatisfy { $0.actor == Bank.core.actor })
        #expect(try await bank.findings() == [])
    }

    @Test func `counts for each transaction alone`() async throws {
        let (bank, _) = try await bankWithAPhone()
        let payments = [try await bank.pay(), try await bank.pay()]
        for _ in 1...2 {
            bank.clock.advance(by: half)
            for payment in payments { #expect(try await bank.notify(payment) == .notified) }
        }
    }

    @Test func `SEC-33: is not made after "not me", also not of another request`() async throws {
        let (bank, phone) = try await bankWithAPhone()
        let payment = try await bank.pay()
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        bank.clock.advance(by: half)
        #expect(try await bank.notify(payment) == .refused(.muted))
        #expect(try await bank.count(of: .transactionNotified) == 0)
    }

    @Test func `needs an active device that wants notifications`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        bank.clock.advance(by: half)
        #expect(try await bank.notify(payment) == .refused(.noDevice))
        try await bank.want(pushesOn: phone)
        #expect(try await bank.notify(payment) == .notified)
        let other = try await bank.activate()
        try await bank.revoke(phone)
        bank.clock.advance(by: half)
        #expect(try await bank.notify(payment) == .refused(.noDevice))
        try await bank.want(pushesOn: other)
        #expect(try await bank.notify(payment) == .notified)
    }

    @Test func `is not made once the transaction has ended`() async throws {
        let (bank, phone) = try await bankWithAPhone()
        let payments = [try await bank.pay(), try await bank.pay(), try await bank.pay()]
        try await phone.decide(on: payments[0], in: bank)
        _ = try await bank.verifier.withdraw(payments[1].id, of: Bank.account, by: Bank.core)
        bank.clock.advance(by: payments[2].deadline.elapsed(since: bank.clock.now))
        for payment in payments { #expect(try await bank.notify(payment) == .ended) }
        #expect(try await bank.count(of: .transactionNotified) == 0)
    }

    @Test func `is of the caller's sources and of the account only`() async throws {
        let (bank, _) = try await bankWithAPhone()
        let payment = try await bank.pay()
        bank.clock.advance(by: half)
        #expect(try await bank.notify(payment, from: [.cards]) == .unknown)
        let (other, _) = try await bank.activate("4712")
        let verifier = bank.verifier
        #expect(try await verifier.notify(of: payment.id, of: other, by: Bank.core) == .unknown)
        #expect(try await bank.notify(payment, from: [.bank]) == .notified)
    }

    @Test func `SEC-33: is within the limit of the node, and then does not count`() async throws {
        var (bank, _) = try await bankWithAPhone()
        let payment = try await bank.pay()
        bank.use(bank.verifier(over: bank.database, pushesPerMinute: 1))
        _ = try await bank.pay()
        bank.clock.advance(by: half)
        let end = bank.clock.now + half
        #expect(try await bank.notify(payment) == .rateLimited(until: end))
        bank.clock.advance(by: half)
        #expect(try await bank.notify(payment) == .notified)
    }
}

extension Bank {
    fileprivate func notify(
        _ payment: Transaction,
        from sources: Set<RequestSource> = [.bank, .cards]
    ) async throws -> NotificationResult {
        try await verifier.notify(of: payment.id, of: Self.account, from: sources, by: Self.core)
    }

    /// The number of pushes of a payment for a device.
    fileprivate func pushes(of payment: Transaction, on phone: Phone) async throws -> Int {
        try await verifier.deliveries(.waiting, limit: 100).count {
            $0.target == .push && $0.subject == "\(payment.id)" && $0.device == phone.id
        }
    }

    fileprivate func findings() async throws -> [String] {
        try await AuditVerification.run(over: KeyedStore(database)).findings.map { "\($0)" }
    }
}
