import Testing
import TransactionApproval
import VerifierWorld

@testable import Storage
@testable import Verification

private let minute = Duration.seconds(60)

@Suite(.onAnyStore) struct `Expiry of transactions` {
    @Test func `SEC-30: a transaction expires at its deadline, in batches, with an audit record`()
        async throws
    {
        let bank = try await Bank(
            policy: #"{"numberMatchingDigits": 2, "activationSeconds": 120}"#
        )
        _ = try await bank.activate()
        let payments = [try await bank.pay(), try await bank.pay(), try await bank.pay()]
        let issued = try await bank.issue()
        bank.clock.advance(by: minute * 2 - .milliseconds(1))
        #expect(try await bank.verifier.expire(atMost: 2) == 0)
        bank.clock.advance(by: .milliseconds(1))
        let end = bank.clock.now
        #expect(try await bank.verifier.expire(atMost: 2) == 2)
        #expect(try await bank.verifier.expire(atMost: 2) == 1)
        #expect(try await bank.verifier.expire(atMost: 2) == 0)
        bank.clock.advance(by: Activation.afterlife)
        #expect(try await bank.verifier.expire(atMost: 2) == 1)
        for payment in payments {
            let record = try await bank.read { ledger throws(StoreFailure) in
                try ledger.transaction(payment.id)
            }
            #expect(record?.state == .closed(.expired, at: end))
            #expect(record?.number == nil)
        }
        let state = try await bank.read { ledger throws(StoreFailure) in
            try ledger.activation(issued.id)?.state
        }
        #expect(state == .closed(.expired, at: bank.clock.now))
        #expect(try await bank.count(of: .transactionExpired) == 3)
        #expect(try await bank.count(of: .activationExpired) == 1)
    }

    /// Two batches of forged rows are due before the others.
    @Test func `SEC-101: a forged row stops no other row, and the alarm names it`() async throws {
        let premises = try Premises()
        let bank = try await premises.begin()
        _ = try await bank.activate()
        let payments = [try await bank.pay(), try await bank.pay(), try await bank.pay()]
        let issued = try await bank.issue()
        let like = payments[0].id.text
        try premises.insertOpen(3, into: .transactions, like: like, as: "not an id ")
        try premises.insertOpen(2, into: .transactions, like: like, as: "forged")
        try premises.insertOpen(4, into: .activations, like: issued.id.text, as: "forged")
        bank.clock.advance(by: minute * 60 * 24 + Activation.afterlife)
        for closed in [4, 0] {
            var place: ExpiryPlace? = ExpiryPlace()
            var batches: [Int] = []
            while let next = place {
                let batch = try await bank.verifier.expire(atMost: 2, after: next)
                batches.append(batch.closed)
                place = batch.next
            }
            #expect(batches.reduce(0, +) == closed)
            #expect(batches.count > 2)
            #expect(bank.verifier.forgeries.count == 9)
        }
        for payment in payments {
            #expect(try await bank.state(of: payment) == .closed(.expired, at: bank.clock.now))
        }
        try await bank.verifier.recordForgeries()
        let named = try await bank.events().filter { $0.kind == .rowForged }.map(\.subject)
        #expect(Set(named).count == 9)
        #expect(named.contains("transactions id=not an id 1"))
        #expect(named.contains("activations id=forged4"))
        await bank.database.close()
    }

    @Test func `a closed transaction does not expire`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.decide(on: payment, in: bank)
        let state = try await bank.state(of: payment)
        bank.clock.advance(by: minute * 60)
        #expect(try await bank.verifier.expire(atMost: 10) == 0)
        #expect(try await bank.state(of: payment) == state)
    }
}
