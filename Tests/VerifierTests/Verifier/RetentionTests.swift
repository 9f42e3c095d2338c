import Testing
import TransactionApproval
import Verifier
import VerifierWorld

private let week = Duration.seconds(7 * 24 * 60 * 60)

@Suite(.onEveryStore) struct `Retention` {
    private func bankWithAnApproval() async throws -> (Bank, Transaction) {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.decide(on: payment, in: bank)
        return (bank, payment)
    }

    private func tidyAll(_ bank: Bank) async throws -> Int {
        var total = 0
        while case let count = try await bank.verifier.tidy(batch: 2), count > 0 { total += count }
        return total
    }

    @Test func `takes nothing that may still be asked for`() async throws {
        let (bank, payment) = try await bankWithAnApproval()
        bank.clock.advance(by: week)
        #expect(try await bank.state(of: payment) != nil)
        _ = try await tidyAll(bank)
        #expect(try await bank.state(of: payment) != nil)
    }

    @Test func `moves what is over to the archive as it was`() async throws {
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

    @Test func `goes in batches of the size asked for`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        for _ in 0..<5 {
            let payment = try await bank.pay()
            try await phone.decide(on: payment, in: bank)
        }
        bank.clock.advance(by: week + .milliseconds(1))
        // Of each kind at most one: here transactions, attempts and the activation's record.
        #expect(try await bank.verifier.tidy(batch: 1) <= 3)
        #expect(try await tidyAll(bank) > 0)
        #expect(try await bank.verifier.tidy(batch: 1) == 0)
    }

    @Test func `leaves what waits, and deliveries that were given up`() async throws {
        let bank = try await Bank()
        _ = try await bank.activate()
        let payment = try await bank.pay()
        let delivery = try #require(try await bank.verifier.takeDeliveries(limit: 1).first)
        for _ in 0..<Delivery.mostTries {
            try await bank.verifier.note(.failed(jitter: 0), of: delivery)
        }
        bank.clock.advance(by: week * 10)
        _ = try await tidyAll(bank)
        #expect(try await bank.state(of: payment) == .pending)
        #expect(try await bank.verifier.deliveries(.dead, limit: 10).count == 1)
    }
}
