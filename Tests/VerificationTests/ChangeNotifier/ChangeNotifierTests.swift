import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

/// Far longer than any test that does not wait for a timeout.
private let long = Duration.seconds(120)

@Suite(.onEveryStore, .timeLimit(.minutes(5))) struct `Waiting for a transaction` {
    private let bank: Bank
    private let phone: Phone
    private let payment: Transaction

    init() async throws {
        bank = try await Bank()
        phone = try await bank.activate()
        payment = try await bank.pay()
    }

    /// Another verifier of the same store, which sees other nodes' changes at this interval.
    private func node(changesWithin interval: Duration) throws -> Verifier {
        bank.verifier(over: try bank.openAgain(), changesWithin: interval)
    }

    @Test func `a change at the same node is seen at once`() async throws {
        let node = try node(changesWithin: long)
        async let waited = node.overview(of: payment.id, of: Bank.account, within: long)
        try await waitUntil { !node.notifier.isIdle }
        let other = try await bank.pay()
        try await phone.decide(on: other, through: node, in: bank)
        try await phone.decide(on: payment, through: node, in: bank)
        let overview = try #require(try await waited)
        #expect(overview.isApproved(by: phone))
        #expect(overview.hasEvidence)
    }

    @Test func `a change at another node is seen within the interval`() async throws {
        let node = try node(changesWithin: .milliseconds(10))
        async let waited = node.overview(of: payment.id, of: Bank.account, within: long)
        try await waitUntil { !node.notifier.isIdle }
        try await phone.decide(on: payment, in: bank)
        let overview = try #require(try await waited)
        #expect(overview.isApproved(by: phone))
    }

    @Test func `a task that waits for many accounts is woken once, and then by their changes`()
        async throws
    {
        let accounts = Set((0..<500).map { Bank.account("\($0)") } + [Bank.account])
        let changes = AccountChanges()
        let notifier = bank.verifier.notifier
        var (unknown, changed) = (0, Set<AccountReference>())
        for await _ in notifier.changes(of: accounts, for: long, notedIn: changes) {
            if let seen = changes.take() {
                changed = seen
                if !seen.isEmpty { break }
            } else {
                // At the begin, and after the first read, which wakes every task.
                unknown += 1
                _ = try await bank.pay()
            }
        }
        #expect((1...2).contains(unknown))
        #expect(changed == [Bank.account])
        try await waitUntil { notifier.isIdle }
    }

    /// The row exists for a moment only, so no audit would find the reason of a late response.
    @Test func `SEC-101: a change is seen after a row behind all records`() async throws {
        let node = try node(changesWithin: .milliseconds(10))
        async let waited = node.overview(of: payment.id, of: Bank.account, within: long)
        try await waitUntil { !node.notifier.isIdle }
        let other = Bank.account("4799")
        try await bank.database.write { connection throws(StoreFailure) in
            _ = try connection.run(Self.insertLast, [])
        }
        let changes = AccountChanges()
        for await _ in node.notifier.changes(of: [other], for: long, notedIn: changes) {
            if changes.take()?.contains(other) == true { break }
        }
        try await bank.database.write { connection throws(StoreFailure) in
            _ = try connection.run(
                Statement("DELETE FROM audit WHERE sequence = 9223372036854775807"),
                []
            )
        }
        try await phone.decide(on: payment, in: bank)
        let overview = try #require(try await waited)
        #expect(overview.isApproved(by: phone))
    }

    private static let insertLast = Statement(
        """
        INSERT INTO audit (sequence, moment, actor, kind, enterprise, account_type, account_id,
            subject, detail, traces, hash, tag)
        SELECT 9223372036854775807, moment, actor, kind, enterprise, account_type, '4799',
            subject, detail, traces, hash, tag
        FROM audit WHERE sequence = (SELECT MAX(sequence) FROM audit)
        """
    )

    @Test func `SEC-101: a change is seen after a record with a malformed account`() async throws {
        let node = try node(changesWithin: long)
        async let waited = node.overview(of: payment.id, of: Bank.account, within: long)
        try await waitUntil { !node.notifier.isIdle }
        _ = try await bank.addAccount("4712")
        try await bank.database.write { connection throws(StoreFailure) in
            _ = try connection.run(
                Statement(
                    """
                    UPDATE audit SET account_id = ''
                    WHERE sequence = (SELECT MAX(sequence) FROM audit)
                    """
                ),
                []
            )
        }
        try await phone.decide(on: payment, in: bank)
        node.notifier.committed([])
        let overview = try #require(try await waited)
        #expect(overview.isApproved(by: phone))
    }

    @Test func `a closed transaction is returned without waiting`() async throws {
        try await phone.decide(.reject(.wrongDetails), on: payment, in: bank)
        let overview = try await bank.verifier.overview(
            of: payment.id,
            of: Bank.account,
            within: long
        )
        #expect(overview?.state != .pending)
        #expect(bank.verifier.notifier.isIdle)
    }

    @Test func `a pending transaction is returned when the timeout ends`() async throws {
        let overview = try await bank.verifier.overview(
            of: payment.id,
            of: Bank.account,
            within: .milliseconds(20)
        )
        #expect(overview?.state == .pending)
    }

    @Test func `a wait ends when the process shuts down`() async throws {
        async let waited = bank.verifier.overview(of: payment.id, of: Bank.account, within: long)
        try await waitUntil { !bank.verifier.notifier.isIdle }
        bank.verifier.notifier.end()
        #expect(try await waited?.state == .pending)
        // A later wait ends at once too.
        let late = try await bank.verifier.overview(
            of: payment.id,
            of: Bank.account,
            within: long
        )
        #expect(late?.state == .pending)
        #expect(bank.verifier.notifier.isIdle)
    }

    @Test func `a wait ends at the deadline at the latest`() async throws {
        bank.clock.advance(by: .milliseconds(119_980))
        let start = ContinuousClock.now
        let waited = try await bank.verifier.overview(
            of: payment.id,
            of: Bank.account,
            within: long
        )
        #expect(.now - start < long)
        // The test's clock did not advance, so the deadline has not passed.
        #expect(waited?.state == .pending)
        bank.clock.advance(by: .milliseconds(20))
        let late = try await bank.verifier.overview(of: payment.id, of: Bank.account, within: long)
        #expect(late?.state == .closed(.expired, at: payment.deadline))
    }

    @Test func `an observer gets all events that this process commits`() async throws {
        let node = bank.verifier(over: bank.database)
        let observed = AsyncStream<[Event.Kind]>.makeStream()
        node.notifier.addObserver { observed.continuation.yield($0) }
        #expect(try await node.addAccount(Bank.account("4713"), by: Bank.core) == .done)
        // This call changed nothing.
        #expect(try await node.addAccount(Bank.account("4713"), by: Bank.core) == .unchanged)
        _ = try await node.withdraw(payment.id, of: Bank.account, by: Bank.core)
        observed.continuation.finish()
        let kinds = await observed.stream.reduce(into: []) { $0.append($1) }
        #expect(kinds == [[.accountCreated], [.transactionWithdrawn]])
    }

    @Test func `a wait that is cancelled is removed`() async throws {
        let node = try node(changesWithin: long)
        let id = payment.id
        let waiting = Task {
            try await node.overview(of: id, of: Bank.account, within: long)
        }
        try await waitUntil { !node.notifier.isIdle }
        waiting.cancel()
        #expect(try await waiting.value?.state == .pending)
        try await waitUntil { node.notifier.isIdle }
    }

    @Test func `a cancelled wait leaves the shared timeout, and other waits still end`()
        async throws
    {
        let notifier = try node(changesWithin: long).notifier
        for _ in 0..<100 {
            for await _ in notifier.changes(of: Bank.account, for: long) { break }
        }
        try await waitUntil { notifier.isIdle }
        #expect(notifier.endingCount == 0)
        // Both end in the same slot of a second, or in the next one.
        let limit = Duration.milliseconds(300)
        for await _ in notifier.changes(of: Bank.account, for: limit) { break }
        let start = ContinuousClock.now
        for await _ in notifier.changes(of: Bank.account, for: limit) {}
        #expect(.now - start >= limit)
        #expect(notifier.endingCount == 0)
    }

    @Test func `one reader wakes many waits, each for its own account`()
        async throws
    {
        let node = try node(changesWithin: .milliseconds(10))
        let (account, other) = try await bank.activate("4712")
        let theirs = try await bank.pay(from: account)
        let states = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask { [id = payment.id] in
                    try await node.overview(of: id, of: Bank.account, within: long)?.state
                        != .pending
                }
            }
            try await waitUntil { !node.notifier.isIdle }
            try await other.decide(on: theirs, in: bank)
            try await phone.decide(on: payment, in: bank)
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(states == Array(repeating: true, count: 100))
    }
}

extension TransactionOverview {
    fileprivate func isApproved(by phone: Phone) -> Bool {
        guard case .closed(.approved(with: .userPIN, by: phone.id), _) = state else {
            return false
        }
        return true
    }
}

extension Phone {
    fileprivate func decide(
        on transaction: Transaction,
        through node: Verifier,
        in bank: Bank
    ) async throws {
        let attempt = try await attempt(over: .approval(of: transaction), in: bank)
        #expect(try await send(on: transaction, attempt, to: node) == .accepted(nil))
    }
}
