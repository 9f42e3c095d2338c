import OneTimePassword
import Testing
import TransactionApproval
import Verifier

@Suite struct `A decision` {
    @Test func `with the right PIN approves`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: phone.id)
        #expect(try await bank.state(of: payment) == .closed(outcome, at: bank.clock.now))
    }

    @Test func `with a wrong PIN is refused and charged`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let refused = Answer.refused(.wrongCode(.counted(attemptsLeft: 4)))
        #expect(try await phone.decide(on: payment, with: .wrong, in: bank) == refused)
        #expect(try await bank.state(of: payment) == .pending)
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }
}
