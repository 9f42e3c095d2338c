import Storage
import Testing
import TransactionApproval
import Verification
import VerifierWorld

private let minute = Duration.seconds(60)

@Suite(.onEveryStore) struct `Expiry of transactions` {
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
