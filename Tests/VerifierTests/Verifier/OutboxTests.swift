import TestSupport
import Testing
import TransactionApproval
import Verifier
import VerifierWorld

@Suite(.onEveryStore) struct `The outbox` {
    private func bankWithApprovals(_ count: Int) async throws -> Bank {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<count {
            let payment = try await bank.pay()
            try await phone.decide(on: payment, in: bank)
            bank.clock.advance(by: .seconds(1))
        }
        return bank
    }

    private func webhooks(of bank: Bank) async throws -> [Delivery] {
        try await bank.verifier.takeDeliveries(limit: 100).filter { $0.target == .webhook }
    }

    @Test func `gives what comes first for an account, and the next when that was delivered`()
        async throws
    {
        let bank = try await bankWithApprovals(2)
        var sequences: [UInt64] = []
        while let next = try await webhooks(of: bank).first {
            sequences.append(next.sequence)
            #expect(try await bank.verifier.note(.delivered, of: next) == .delivered)
        }
        // The device's activation, then both approvals.
        #expect(sequences.count == 3)
        #expect(sequences == sequences.sorted())
    }

    @Test func `gives what was taken and never noted again, after the lease and not before`()
        async throws
    {
        let bank = try await bankWithApprovals(0)
        let first = try #require(try await webhooks(of: bank).first)
        #expect(try await webhooks(of: bank).isEmpty)
        bank.clock.advance(by: Verifier.deliveryLease - .milliseconds(1))
        #expect(try await webhooks(of: bank).isEmpty)
        bank.clock.advance(by: .milliseconds(1))
        #expect(try await webhooks(of: bank).map(\.sequence) == [first.sequence])
    }

    @Test func `waits longer after each failure and gives up in the end`() async throws {
        let bank = try await bankWithApprovals(0)
        var waits: [Duration] = []
        var state = Delivery.State.waiting
        while state == .waiting {
            let delivery = try #require(try await webhooks(of: bank).first)
            state = try #require(
                try await bank.verifier.note(.failed(jitter: 0), of: delivery)
            )
            let kept = try await bank.read { ledger throws(StoreFailure) in
                try ledger.delivery(delivery.sequence, to: .webhook)
            }
            waits.append(try #require(kept).due.elapsed(since: bank.clock.now))
            bank.clock.advance(by: Delivery.longestWait)
        }
        #expect(state == .dead)
        #expect(waits.count == Delivery.mostTries)
        #expect(waits.prefix(3) == [.seconds(2), .seconds(4), .seconds(8)])
        #expect(waits.dropLast().max() == Delivery.longestWait)
    }

    @Test func `spreads what failed together over half of the wait`() {
        let account = Bank.account
        let delivery = Delivery(
            sequence: 1,
            target: .webhook,
            account: account,
            subject: "x",
            due: .earliest
        )
        var (early, late) = (delivery, delivery)
        early.fail(at: .earliest, jitter: 1)
        late.fail(at: .earliest, jitter: 0)
        #expect(early.due == .earliest + .seconds(1))
        #expect(late.due == .earliest + .seconds(2))
    }

    @Test func `shows what was given up, and tries it again when asked to`() async throws {
        let bank = try await bankWithApprovals(0)
        let delivery = try #require(try await webhooks(of: bank).first)
        for _ in 0..<Delivery.mostTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        let dead = try await bank.verifier.deliveries(.dead, limit: 10)
        #expect(dead.map(\.sequence) == [delivery.sequence])
        #expect(try await webhooks(of: bank).isEmpty)
        #expect(try await bank.verifier.retry(delivery.sequence, to: .webhook))
        #expect(try await webhooks(of: bank).map(\.sequence) == [delivery.sequence])
        #expect(try await bank.verifier.retry(delivery.sequence, to: .webhook) == false)
    }

    @Test func `asks for a push when a transaction is made, unless the person said "not me"`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let pushed = try await bank.verifier.deliveries(.waiting, limit: 10)
            .filter { $0.target == .push }
        #expect(pushed.map(\.subject) == [payment.id.text])
        try await phone.decide(.reject(.notMe), on: payment, in: bank)
        _ = try await bank.pay()
        let after = try await bank.verifier.deliveries(.waiting, limit: 10)
        #expect(after.count { $0.target == .push } == 1)
    }
}
