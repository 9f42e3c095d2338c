import Storage
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

@Suite(.onEveryStore) struct `The outbox` {
    private func bankWithApprovals(_ count: Int) async throws -> Bank {
        let bank = try await Bank()
        let phone = try await bank.activate()
        // The webhook of the issued activation.
        for delivery in try await webhooks(of: bank) {
            try await bank.verifier.note(.delivered, of: delivery)
        }
        for _ in 0..<count {
            let payment = try await bank.pay()
            try await phone.decide(on: payment, in: bank)
            bank.clock.advance(by: .seconds(1))
        }
        return bank
    }

    private func webhooks(of bank: Bank) async throws -> [Delivery] {
        try await bank.verifier.takeDeliveries(to: .webhook, limit: 100)
    }

    @Test func `an account's deliveries are taken in order, each after the previous one`()
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

    /// The number of tries has no tag.
    @Test func `a delivery ends that another program gave any number of tries`() async throws {
        for number in [Int64.max, .min, -1] {
            let bank = try await bankWithApprovals(0)
            _ = try await bank.database.write { connection throws(StoreFailure) in
                try connection.run(Statement("UPDATE outbox SET tries = $1"), [.integer(number)])
            }
            let delivery = try #require(try await webhooks(of: bank).first)
            let state = try await bank.verifier.note(.failed(jitter: 0), of: delivery)
            #expect(state == (number < 0 ? .waiting : .dead))
        }
    }

    @Test func `a delivery without a result is taken again after the lease`()
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

    @Test func `retries back off exponentially, and end`() async throws {
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
            let due = try #require(kept?.due)
            waits.append(due.elapsed(since: bank.clock.now))
            bank.clock.advance(by: Delivery.maximumWait)
        }
        #expect(state == .dead)
        #expect(waits.count == Delivery.maximumTries)
        #expect(waits.prefix(3) == [.seconds(2), .seconds(4), .seconds(8)])
        #expect(waits.dropLast().max() == Delivery.maximumWait)
        // With an average jitter of one quarter, retries last three days: a weekend with its
        // nights.
        let days = waits.dropLast().reduce(.zero, +) * 0.75 / .seconds(24 * 60 * 60)
        #expect((2.9...3.1).contains(days), "\(days) days")
    }

    @Test
    func `an account's next delivery waits for a retry, while other accounts continue`()
        async throws
    {
        let bank = try await bankWithApprovals(1)
        let (other, _) = try await bank.activate("4712")
        let taken = try await webhooks(of: bank)
        #expect(taken.count == 2)
        let first = try #require(taken.first { $0.account == Bank.account })
        let others = try #require(taken.first { $0.account == other })
        try await bank.verifier.note(.failed(jitter: 0), of: first)
        try await bank.verifier.note(.delivered, of: others)
        bank.clock.advance(by: .seconds(2) - .milliseconds(1))
        #expect(try await webhooks(of: bank).map(\.account) == [other])
        bank.clock.advance(by: .milliseconds(1))
        let again = try await webhooks(of: bank)
        #expect(again.map(\.sequence) == [first.sequence])
        try await bank.verifier.note(.delivered, of: try #require(again.first))
        let second = try await webhooks(of: bank)
        #expect(second.map(\.account) == [Bank.account])
        #expect(second.allSatisfy { first.sequence < $0.sequence })
    }

    @Test func `a delivery follows a dead one`() async throws {
        let bank = try await bankWithApprovals(1)
        let first = try #require(try await webhooks(of: bank).first)
        for _ in 1..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: first)
        }
        #expect(try await webhooks(of: bank).isEmpty)
        #expect(try await bank.verifier.note(.failed(jitter: 0), of: first) == .dead)
        let next = try await webhooks(of: bank)
        #expect(next.count == 1)
        #expect(next.allSatisfy { first.sequence < $0.sequence })
    }

    @Test func `pushes do not wait for an account's webhooks`()
        async throws
    {
        let bank = try await Bank()
        _ = try await bank.activateWakeable()
        let webhook = try #require(try await webhooks(of: bank).first)
        try await bank.verifier.note(.failed(jitter: 0), of: webhook)
        let payment = try await bank.pay()
        #expect(try await webhooks(of: bank).isEmpty)
        let due = try await bank.verifier.takeDeliveries(to: .push, limit: 10)
        #expect(due.map(\.subject) == [payment.id.text])
    }

    @Test func `two dispatchers never take the same delivery`() async throws {
        let bank = try await bankWithApprovals(0)
        for number in 4720..<4730 { _ = try await bank.activate("\(number)") }
        let nodes = [bank.verifier, bank.verifier(over: try bank.openAgain())]
        let taken = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await nodes[index % 2].takeDeliveries(to: .webhook, limit: 2)
                        .map(\.sequence)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.count == 11)
        #expect(Set(taken).count == 11)
    }

    @Test func `a delivered message stays delivered, even if another dispatcher failed`()
        async throws
    {
        let bank = try await bankWithApprovals(0)
        let slow = try #require(try await webhooks(of: bank).first)
        bank.clock.advance(by: Verifier.deliveryLease)
        let fast = try #require(try await webhooks(of: bank).first)
        #expect(fast.sequence == slow.sequence)
        #expect(try await bank.verifier.note(.delivered, of: fast) == .delivered)
        #expect(try await bank.verifier.note(.failed(jitter: 0), of: slow) == .delivered)
    }

    @Test(arguments: [-1, 0, 0.3, 1, 2])
    func `the jitter shortens a wait by up to half`(_ jitter: Double) throws {
        var delivery = Delivery(
            sequence: 1,
            target: .webhook,
            device: nil,
            concern: .account(Bank.account),
            subject: "x",
            started: .earliest,
            due: .earliest
        )
        for tries in 1..<Delivery.maximumTries {
            let most = min(Duration.seconds(1 << min(tries, 12)), Delivery.maximumWait)
            delivery.fail(at: .earliest, jitter: jitter)
            let wait = try #require(delivery.due).elapsed(since: .earliest)
            #expect((most / 2...most).contains(wait), "after \(tries) tries")
        }
    }

    @Test func `a paused receiver causes ever fewer writes, and finally a dead delivery`()
        async throws
    {
        let bank = try await bankWithApprovals(1)
        let first = try #require(try await webhooks(of: bank).first)
        try await bank.verifier.note(.failed(jitter: 1), of: first)
        let end = first.started + .seconds(3 * 24 * 60 * 60)
        var count = 0
        while bank.clock.now < end {
            #expect(try await bank.verifier.note(Self.postponed, of: first) == .waiting)
            let now = bank.clock.now
            let kept = try await bank.verifier.deliveries(.waiting, limit: 1).first
            let due = try #require(kept?.due)
            #expect(kept?.tries == 1)
            bank.clock.advance(by: due.elapsed(since: now))
            count += 1
        }
        // Every ten seconds would be 25,920 times.
        #expect(count < 150, "\(count) times")
        #expect(try await bank.verifier.note(Self.postponed, of: first) == .dead)
    }

    private static let postponed = Verifier.DeliveryResult.postponed(by: .seconds(10), jitter: 1)

    @Test func `an old delivery becomes dead only after its first attempt`()
        async throws
    {
        let bank = try await bankWithApprovals(0)
        let first = try #require(try await webhooks(of: bank).first)
        bank.clock.advance(by: .seconds(5 * 24 * 60 * 60))
        #expect(try await bank.verifier.note(Self.postponed, of: first) == .waiting)
        try await bank.verifier.note(.failed(jitter: 1), of: first)
        #expect(try await bank.verifier.note(Self.postponed, of: first) == .dead)

        #expect(try await bank.verifier.retry(first.sequence, to: .webhook) == 1)
        try await bank.verifier.note(.failed(jitter: 1), of: first)
        #expect(try await bank.verifier.note(Self.postponed, of: first) == .waiting)
    }

    @Test func `the receiver's minimum wait is respected, up to the maximum wait`() throws {
        func wait(_ minimumWait: Duration) throws -> Duration {
            var delivery = Delivery(
                sequence: 1,
                target: .webhook,
                device: nil,
                concern: .account(Bank.account),
                subject: "x",
                started: .earliest,
                due: .earliest
            )
            delivery.fail(at: .earliest, jitter: 0, minimumWait: minimumWait)
            return try #require(delivery.due).elapsed(since: .earliest)
        }
        #expect(try wait(.seconds(1)) == .seconds(2))
        #expect(try wait(.seconds(40)) == .seconds(40))
        #expect(try wait(.seconds(100_000)) == Delivery.maximumWait)
    }

    @Test func `a delivery without a receiver is done when it is taken`() async throws {
        let bank = try await bankWithApprovals(0)
        let all = try await bank.verifier.takeDeliveries(to: .webhook, limit: 100) { _ in false }
        #expect(all.map(\.state) == [.delivered])
        bank.clock.advance(by: Verifier.deliveryLease)
        #expect(try await webhooks(of: bank).isEmpty)
        #expect(try await bank.verifier.deliveries(.delivered, limit: 10).count == 2)
    }

    @Test func `jitter spreads deliveries that failed together`() {
        let account = Bank.account
        let delivery = Delivery(
            sequence: 1,
            target: .webhook,
            device: nil,
            concern: .account(account),
            subject: "x",
            started: .earliest,
            due: .earliest
        )
        var (early, late) = (delivery, delivery)
        early.fail(at: .earliest, jitter: 1)
        late.fail(at: .earliest, jitter: 0)
        #expect(early.due == .earliest + .seconds(1))
        #expect(late.due == .earliest + .seconds(2))
    }

    @Test func `dead deliveries are listed, and retried on request`() async throws {
        let bank = try await bankWithApprovals(0)
        let delivery = try #require(try await webhooks(of: bank).first)
        for _ in 0..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        let dead = try await bank.verifier.deliveries(.dead, limit: 10)
        #expect(dead.map(\.sequence) == [delivery.sequence])
        #expect(try await webhooks(of: bank).isEmpty)
        #expect(try await bank.verifier.retry(delivery.sequence, to: .push) == 0)
        #expect(try await bank.verifier.retry(delivery.sequence, to: .webhook) == 1)
        #expect(try await webhooks(of: bank).map(\.sequence) == [delivery.sequence])
        #expect(try await bank.verifier.retry(delivery.sequence, to: .webhook, only: .dead) == 0)
        try await bank.verifier.note(.delivered, of: delivery)
        #expect(try await bank.verifier.retry(delivery.sequence, to: .webhook) == 0)
    }

    @Test func `a waiting delivery becomes due on request, and keeps its attempts`() async throws {
        let bank = try await bankWithApprovals(1)
        let first = try #require(try await webhooks(of: bank).first)
        for _ in 0..<9 { try await bank.verifier.note(.failed(jitter: 0), of: first) }
        #expect(try await webhooks(of: bank).isEmpty)
        let behind = try #require(
            try await bank.verifier.deliveries(.waiting, limit: 10).first { $0.due == nil }
        )
        let listed = try await bank.verifier.deliveries(
            .waiting,
            of: Bank.account.enterprise,
            after: 0,
            limit: 10
        )
        #expect(listed.first { $0.delivery == behind }?.waitsFor == first.sequence)
        #expect(listed.first { $0.delivery.sequence == first.sequence }?.waitsFor == nil)
        #expect(try await bank.verifier.retry(behind.sequence, to: .webhook) == 0)
        #expect(try await bank.verifier.retry(first.sequence, to: .webhook, only: .dead) == 0)
        #expect(try await bank.verifier.retry(first.sequence, to: .webhook) == 1)
        let taken = try await webhooks(of: bank)
        #expect(taken.map(\.sequence) == [first.sequence])
        #expect(taken.first?.tries == 9)
    }

    @Test func `a delivery that is retried while its receiver is paused is not delayed by its age`()
        async throws
    {
        let bank = try await bankWithApprovals(0)
        let first = try #require(try await webhooks(of: bank).first)
        bank.clock.advance(by: .seconds(24 * 60 * 60))
        func delay() async throws -> Duration? {
            try await bank.verifier.note(Self.postponed, of: first)
            let now = bank.clock.now
            return try await bank.verifier.deliveries(.waiting, limit: 1).first?.due?
                .elapsed(since: now)
        }
        #expect(try await delay() == Delivery.maximumWait)
        #expect(try await bank.verifier.retry(first.sequence, to: .webhook) == 1)
        #expect(try await delay() == .seconds(10))
    }

    @Test func `retried deliveries keep their order, before later ones`() async throws {
        let bank = try await bankWithApprovals(3)
        var sequences: [UInt64] = []
        for _ in 0..<2 {
            let first = try #require(try await webhooks(of: bank).first)
            sequences.append(first.sequence)
            try await bank.giveUp(first)
        }
        for sequence in sequences {
            #expect(try await bank.verifier.retry(sequence, to: .webhook) == 1)
        }
        var delivered: [UInt64] = []
        while case let taken = try await webhooks(of: bank), !taken.isEmpty {
            for next in taken {
                delivered.append(next.sequence)
                try await bank.verifier.note(.delivered, of: next)
            }
        }
        #expect(delivered.count == 4)
        #expect(delivered.filter(sequences.contains) == sequences)
        let others = delivered.filter { !sequences.contains($0) }
        #expect(others == others.sorted())
    }

    @Test func `SEC-50: a retry is recorded with its actor`() async throws {
        let bank = try await bankWithApprovals(0)
        let delivery = try #require(try await webhooks(of: bank).first)
        for _ in 0..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        for _ in 0..<2 { _ = try await bank.verifier.retry(delivery.sequence, to: .webhook) }
        let records = try await bank.read { ledger throws(StoreFailure) in
            try ledger.auditRecords(after: 0, limit: .max)
        }.filter { $0.event.kind == .deliveryRetried }
        let event = Event(
            .deliveryRetried,
            of: delivery.sequence,
            in: Bank.account,
            detail: "webhook"
        )
        #expect(records.map(\.event) == [event])
        #expect(records.map(\.actor) == [.operatorCommand])
    }

    @Test func `a new transaction is pushed, unless the person said "not me"`()
        async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activateWakeable()
        let payment = try await bank.pay()
        let pushed = try await bank.verifier.deliveries(.waiting, limit: 10)
            .filter { $0.target == .push }
        #expect(pushed.map(\.subject) == [payment.id.text])
        #expect(pushed.map(\.device) == [phone.id])
        try await phone.decide(.reject(.notMe), on: payment, in: bank)
        _ = try await bank.pay()
        let after = try await bank.verifier.deliveries(.waiting, limit: 10)
        #expect(after.count { $0.target == .push } == 1)
    }
}

@Suite(.onEveryStore) struct `The outbox and devices` {
    private func pushes(of bank: Bank) async throws -> [Delivery] {
        try await bank.verifier.takeDeliveries(to: .push, limit: 100)
    }

    @Test func `each device is notified, unless it turned notifications off`() async throws {
        let bank = try await Bank()
        let (first, second) = (
            try await bank.activateWakeable(), try await bank.activateWakeable()
        )
        _ = try await bank.activate()
        _ = try await bank.pay()
        let taken = try await pushes(of: bank)
        #expect(Set(taken.map(\.device)) == [first.id, second.id])
        for delivery in taken {
            let isReached = delivery.device == first.id
            try await bank.verifier.note(isReached ? .delivered : .failed(jitter: 0), of: delivery)
        }
        bank.clock.advance(by: .seconds(2))
        let again = try await pushes(of: bank)
        #expect(again.map(\.device) == [second.id])
        guard case .push(let notice) = try await bank.verifier.notice(of: again[0]) else {
            throw Bank.Unexpected()
        }
        #expect(notice.device == second.id)
    }

    @Test func `a new push does not wait for a failed one`() async throws {
        let bank = try await Bank()
        _ = try await bank.activateWakeable()
        _ = try await bank.pay()
        for delivery in try await pushes(of: bank) {
            try await bank.verifier.note(
                .failed(jitter: 0, minimumWait: .seconds(60)),
                of: delivery
            )
        }
        let payment = try await bank.pay()
        #expect(try await pushes(of: bank).map(\.subject) == [payment.id.text])
    }

    @Test func `no push is sent for a transaction that will have ended`() async throws {
        let bank = try await Bank()
        _ = try await bank.activateWakeable()
        let payment = try await bank.pay()
        var tries = 0
        var state = Delivery.State.waiting
        while state == .waiting {
            let delivery = try #require(try await pushes(of: bank).first)
            state = try #require(
                try await bank.verifier.note(.failed(jitter: 0), of: delivery)
            )
            tries += 1
            bank.clock.advance(by: .seconds(1 << tries))
        }
        // 2, 4, 8, 16 and 32 seconds later; 64 more are beyond its two minutes.
        #expect(state == .delivered)
        #expect(tries == 6)
        #expect(payment.deadline.elapsed(since: bank.clock.now) < .zero)
        #expect(
            try await bank.verifier.deliveries(.waiting, limit: 10).allSatisfy {
                $0.target == .webhook
            }
        )
        #expect(try await bank.verifier.deliveries(.dead, limit: 10).isEmpty)
    }

    @Test func `a revoked device is not notified`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activateWakeable()
        _ = try await bank.pay()
        let delivery = try #require(try await pushes(of: bank).first)
        #expect(try await bank.verifier.notice(of: delivery) != nil)
        _ = try await bank.verifier.setPush(.off, on: phone.id, attempt: .random())
        #expect(try await bank.verifier.notice(of: delivery) == nil)
    }
}

@Suite(.onEveryStore) struct `A long outbox` {
    @Test func `only due deliveries are read`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let (other, _) = try await bank.activate("4712")
        for _ in 0..<3 {
            _ = try await bank.activate()
            _ = try await bank.activate(other)
        }
        let all = try await bank.verifier.deliveries(.waiting, limit: 1000)
        #expect(all.count > 6)
        #expect(all.count { $0.due != nil } == 2)

        let watched = WatchedDatabase(bank.database)
        let taken = try await bank.verifier(over: watched).takeDeliveries(to: .webhook, limit: 50)
        #expect(taken.count == 2)
        let text = try #require(watched.texts.first { $0.contains("FROM outbox") })
        // The names of excluded enterprises: from the last, since `$1` is also the start of `$10`.
        let statement = (4...19).reversed().reduce(text) { $0.replacing("$\($1)", with: "''") }
            .replacing("$1", with: "9000000000000").replacing("$2", with: "1")
            .replacing("$3", with: "50")
        switch premises.store {
        case .file(let path):
            let plan = try sqlite3(path, "EXPLAIN QUERY PLAN " + statement)
            #expect(plan.contains("SEARCH outbox USING INDEX outbox_due (target=? AND due<?)"))
            #expect(plan.split(separator: "\n").count == 2, "\(plan)")
        case .server(let database):
            let explain = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "
            let plan = try PostgresServer.psql(
                [
                    "--command=SET enable_seqscan = off; SET enable_bitmapscan = off; "
                        + "SET enable_sort = off; \(explain + statement)"
                ],
                in: database
            )
            #expect(plan.contains("Index Scan using outbox_due on outbox (actual rows=2 loops=1)"))
            #expect(!plan.contains("Removed"), "\(plan)")
            #expect(!plan.contains("Sort"), "\(plan)")
        }
        await bank.database.close()
    }
}

extension Bank {
    /// A device with push turned on.
    fileprivate func activateWakeable() async throws -> Phone {
        let phone = try await activate()
        _ = try await verifier.setPush(.events, on: phone.id, attempt: .random())
        return phone
    }

    func giveUp(_ delivery: Delivery) async throws {
        for _ in 0..<Delivery.maximumTries {
            try await verifier.note(.failed(jitter: 0), of: delivery)
        }
    }
}
