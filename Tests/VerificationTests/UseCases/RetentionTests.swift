import OneTimePassword
import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

private let week = Duration.seconds(7 * 24 * 60 * 60)

/// Rows that leave their table after some time.
enum Over: CaseIterable {
    case attempts, calls, logins, transactions, outbox, activations

    var age: Duration {
        switch self {
        case .attempts, .calls: Retention.default.attempts
        case .logins: Retention.default.logins
        case .transactions: Retention.default.transactions
        case .outbox: Retention.default.deliveries
        case .activations: Retention.default.activations
        }
    }

    var count: Statement {
        switch self {
        case .attempts: Statement("SELECT COUNT(*) FROM attempts")
        case .calls: Statement("SELECT COUNT(*) FROM bank_calls")
        case .logins: Statement("SELECT COUNT(*) FROM logins")
        case .transactions: Statement("SELECT COUNT(*) FROM transactions")
        case .outbox: Statement("SELECT COUNT(*) FROM outbox")
        case .activations: Statement("SELECT COUNT(*) FROM activations")
        }
    }
}

@Suite(.onAnyStore) struct `The retention of rows` {
    private func bankWithAnApproval() async throws -> (Bank, Transaction) {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.decide(on: payment, in: bank)
        return (bank, payment)
    }

    private func tidyAll(_ bank: Bank) async throws -> Int {
        var total = 0
        while case let count = try await bank.verifier.applyRetention(batch: 2), count > 0 {
            total += count
        }
        return total
    }

    @Test func `rows that may still be read stay`() async throws {
        let (bank, payment) = try await bankWithAnApproval()
        bank.clock.advance(by: week)
        #expect(try await bank.state(of: payment) != nil)
        _ = try await tidyAll(bank)
        #expect(try await bank.state(of: payment) != nil)
    }

    @Test(arguments: Over.allCases)
    func `a row is removed at exactly its age`(_ over: Over) async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        try await phone.decide(on: try await bank.pay(), in: bank)
        guard case .accepted = try await phone.logIn(in: bank) else { throw Bank.Unexpected() }
        try await phone.type("00000000", in: bank)
        try await bank.deliverAll()
        let count = try await bank.count(over)
        #expect(count > 0)
        bank.clock.advance(by: over.age)
        _ = try await tidyAll(bank)
        #expect(try await bank.count(over) == count)
        bank.clock.advance(by: .milliseconds(1))
        _ = try await tidyAll(bank)
        #expect(try await bank.count(over) == 0)
    }

    @Test func `an audit finds the trail intact afterwards`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        try await phone.decide(on: try await bank.pay(), in: bank)
        try await phone.decide(.reject(.notMe), on: try await bank.pay(), in: bank)
        _ = try await phone.logIn(in: bank)
        try await phone.checkPIN(with: .wrong, in: bank)
        try await phone.type("00000000", in: bank)
        _ = try await bank.issue()
        try await bank.deliverAll()
        bank.clock.advance(by: week * 10)
        #expect(try await bank.verifier.expire(atMost: 100) == 1)
        #expect(try await tidyAll(bank) > 0)
        // The remaining rows are younger than the removed ones.
        try await phone.decide(on: try await bank.pay(), in: bank)
        _ = try await phone.logIn(in: bank)
        try await bank.journalNow()
        await bank.database.close()
        #expect(try await premises.audit(againstJournal: true).findings == [])
    }

    @Test func `transactions move to the archive unchanged`() async throws {
        let (bank, payment) = try await bankWithAnApproval()
        let before = try await bank.read { ledger throws(StoreFailure) in
            try ledger.transaction(payment.id)
        }
        bank.clock.advance(by: week + .milliseconds(1))
        #expect(try await tidyAll(bank) >= 2)
        #expect(try await bank.state(of: payment) == nil)
        let archived = try await bank.read { ledger throws(StoreFailure) in
            try ledger.archivedTransaction(payment.id)
        }
        #expect(archived == before)
        #expect(try await tidyAll(bank) == 0)
    }

    /// An attacker occupies the ids of old transactions in the archive.
    @Test func `SEC-101: forged rows in the archive stop no other row`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        let phone = try await bank.activate()
        var payments: [Transaction] = []
        for _ in 0..<5 {
            payments.append(try await bank.pay())
            try await phone.decide(on: payments[payments.count - 1], in: bank)
        }
        let columns = Table.archivedTransactions.columns.map { "\($0.name)" }
        let forged = columns.map { $0 == "tag" ? "NULL" : $0 }.joined(separator: ", ")
        let ids = payments.prefix(3).map { "'\($0.id)'" }.joined(separator: ", ")
        try premises.tamper(
            """
            INSERT INTO archived_transactions (\(columns.joined(separator: ", ")))
            SELECT \(forged) FROM transactions WHERE id IN (\(ids))
            """
        )
        bank.clock.advance(by: week + .milliseconds(1))
        _ = try await tidyAll(bank)
        #expect(try await bank.count(.attempts) == 0)
        for (index, payment) in payments.enumerated() {
            #expect((try await bank.state(of: payment) != nil) == (index < 3))
        }
        await bank.database.close()
    }

    @Test func `removal runs in batches while decisions are verified`() async throws {
        let (backlog, limit) = (60, 4)
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<backlog { try await phone.checkPIN(in: bank) }
        bank.clock.advance(by: Retention.default.attempts + .milliseconds(1))
        #expect(try await bank.count(.attempts) == backlog)
        async let batches = bank.tidyOneByOne(limit)
        for _ in 0..<10 {
            let result = try await phone.decide(on: try await bank.pay(), in: bank)
            #expect(result == .accepted(nil))
        }
        let full = [Int](repeating: limit, count: backlog / limit)
        #expect(try await batches == full)
        #expect(try await bank.count(.attempts) == 10)
    }

    @Test(arguments: Entry.allCases)
    func `SEC-04: removing an attempt does not make its code valid again`(
        _ entry: Entry
    ) async throws {
        let bank = try await Bank(policy: Entry.policy)
        let phone = try await bank.activate()
        let send = try await phone.message(entry, in: bank)
        let first = try await send(bank)
        #expect(first.isAccepted)
        #expect(try await send(bank) == first)
        bank.clock.advance(by: Retention.default.attempts + .milliseconds(1))
        _ = try await tidyAll(bank)
        #expect(try await bank.count(.attempts) == 0)
        let counter = try await bank.credential(entry.kind, of: phone).credential.counter
        #expect(try await send(bank).isAccepted == false)
        #expect(try await bank.credential(entry.kind, of: phone).credential.counter == counter)
        #expect(try await bank.count(.logins) == 0)
    }

    @Test func `pending rows and dead deliveries stay`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        let payment = try await bank.pay()
        let taken = try await bank.verifier.takeDeliveries(to: .webhook, limit: 1)
        let delivery = try #require(taken.first)
        for _ in 0..<Delivery.maximumTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        bank.clock.advance(by: week * 10)
        _ = try await tidyAll(bank)
        #expect(try await bank.state(of: payment) == .pending)
        #expect(try await bank.verifier.deliveries(.dead, limit: 10).count == 1)
    }
}

extension Bank {
    fileprivate func count(_ over: Over) async throws -> Int {
        try await database.read { connection throws(StoreFailure) in
            Int(try connection.rows(over.count, [])[0].values[0].integer)
        }
    }

    /// Delivers everything that is due now.
    fileprivate func deliverAll() async throws {
        for target in Delivery.Target.allCases {
            while case let due = try await verifier.takeDeliveries(to: target, limit: 100),
                !due.isEmpty
            {
                for delivery in due { try await verifier.note(.delivered, of: delivery) }
            }
        }
    }

    /// The number of rows in each batch.
    fileprivate func tidyOneByOne(_ limit: Int) async throws -> [Int] {
        var batches: [Int] = []
        while case let count = try await verifier.applyRetention(batch: limit), count > 0 {
            batches.append(count)
        }
        return batches
    }
}
