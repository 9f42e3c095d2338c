import OneTimePassword
import Testing
import TransactionApproval
import Verification
import VerifierWorld

@Suite(.onAnyStore) struct `Decisions about a transaction` {
    @Test func `the right PIN approves`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
        let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: phone.id)
        #expect(try await bank.state(of: payment) == .closed(outcome, at: bank.clock.now))
    }

    @Test func `SEC-47: a wrong PIN is refused and charged`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        #expect(try await phone.decide(on: payment, with: .wrong, in: bank) == .wrong(left: 4))
        #expect(try await bank.state(of: payment) == .pending)
        #expect(try await phone.decide(on: payment, in: bank) == .accepted(nil))
    }

    @Test func `SEC-30: a decision is accepted until the deadline and not at it`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (first, second) = (try await bank.pay(), try await bank.pay())
        bank.clock.advance(by: .seconds(120) - .milliseconds(1))
        #expect(try await phone.decide(on: first, in: bank) == .accepted(nil))
        bank.clock.advance(by: .milliseconds(1))
        let before = try await bank.contents()
        for pin in Phone.PIN.allCases {
            let result = try await phone.decide(on: second, with: pin, in: bank)
            #expect(result == .refused(.transactionExpired))
        }
        #expect(try await bank.contents() == before)
    }

    @Test func `SEC-31: a decision is for one transaction and counts once`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let (first, second) = (try await bank.pay(), try await bank.pay())
        let attempt = try await phone.attempt(
            over: .decision(try TransactionHash(of: first), .approve, nil),
            in: bank
        )
        let swapped = try await phone.send(on: second, attempt, to: bank.verifier)
        #expect(swapped == .wrong(left: 4))
        #expect(try await phone.decide(on: first, in: bank) == .accepted(nil))
        let outcome = TransactionRecord.Outcome.approved(with: .userPIN, by: phone.id)
        let again = try await phone.decide(on: first, in: bank)
        #expect(again == .refused(.alreadyDecided(outcome)))
        #expect(try await bank.state(of: second) == .pending)
    }

    @Test(arguments: RejectionReason.allCases)
    func `SEC-34: a flipped byte never makes another decision`(
        _ reason: RejectionReason
    ) async throws {
        let bank = try await Bank(policy: #"{"authentication": ["userPIN", "consent"]}"#)
        let phone = try await bank.activate()
        let content = try Transaction.Content(context: .action, title: DisplayText("Limit"))
        let request = TransactionRequest(
            account: Bank.account,
            content: content,
            authentication: .consent
        )
        guard
            case .created(let transaction, _) = try await bank.verifier.request(
                request,
                by: Bank.core
            )
        else { throw Bank.Unexpected() }
        let hash = try TransactionHash(of: transaction)
        let rejection = try await phone.attempt(
            .device,
            over: .decision(hash, .reject(reason), nil),
            in: bank
        )
        let result = try await phone.send(
            on: transaction,
            by: .consent,
            rejection,
            to: bank.verifier
        )
        #expect(result == .wrong(left: 4))
        #expect(try await bank.state(of: transaction) == .pending)
        let decision = Decision.reject(reason)
        #expect(try await phone.decide(decision, on: transaction, in: bank) == .accepted(nil))
        let outcome = TransactionRecord.Outcome.rejected(reason, by: phone.id)
        #expect(try await bank.state(of: transaction) == .closed(outcome, at: bank.clock.now))
    }

    @Test func `SEC-34: a rejection with the user credential's code is a wrong code`() async throws
    {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        let attempt = try await phone.attempt(
            over: .decision(try TransactionHash(of: payment), .reject(.notMe), nil),
            in: bank
        )
        let result = try await phone.send(.reject(.notMe), on: payment, attempt, to: bank.verifier)
        #expect(result == .wrong(left: 4))
    }

    @Test func `a rejection needs no PIN while the user credential is locked`() async throws {
        let bank = try await Bank()
        let phone = try await bank.activate()
        let payment = try await bank.pay()
        try await phone.failUntilLocked(in: bank)
        let decision = Decision.reject(.wrongDetails)
        #expect(try await phone.decide(decision, on: payment, in: bank) == .accepted(nil))
    }

    @Test func `SEC-65: consent is accepted up to the ceiling`() async throws {
        let bank = try await Bank(
            policy: """
                {"authentication": ["userPIN", "consent"],
                 "consentCeilings": [{"currency": "EUR", "minorUnits": 3000}]}
                """
        )
        let phone = try await bank.activate()
        let (small, large) = (try await bank.pay(30_00), try await bank.pay(30_01))
        #expect(try await phone.decide(on: small, by: .consent, in: bank) == .accepted(nil))
        let result = try await phone.decide(on: large, by: .consent, in: bank)
        #expect(result == .refused(.typeNotAllowed))
        #expect(try await phone.decide(on: large, by: .userPIN, in: bank) == .accepted(nil))
    }

    @Test func `consent is refused if the bank requires the person`() async throws {
        let bank = try await Bank(
            policy: """
                {"authentication": ["userPIN", "consent"],
                 "consentCeilings": [{"currency": "EUR", "minorUnits": 3000}]}
                """
        )
        let phone = try await bank.activate()
        let payment = try await bank.pay(1, by: .userPIN)
        let attempt = try await phone.attempt(
            .device,
            over: .decision(try TransactionHash(of: payment), .approve, nil),
            in: bank
        )
        for type in [AuthenticationType.consent, .biometric] {
            let result = try await phone.send(on: payment, by: type, attempt, to: bank.verifier)
            #expect(result == .refused(.typeNotAllowed))
        }
        let result = try await phone.send(on: payment, attempt, to: bank.verifier)
        #expect(result == .wrong(left: 4))
    }

    @Test func `a transaction of another account is unknown`() async throws {
        let bank = try await Bank()
        let other = Bank.account("4712")
        _ = try await bank.verifier.addAccount(other, by: Bank.core)
        let (phone, stranger) = (try await bank.activate(), try await bank.activate(other))
        let payment = try await bank.pay()
        #expect(try await stranger.decide(on: payment, in: bank) == .refused(.unknownTransaction))
        let theirs = try await bank.verifier.transaction(payment.id, for: stranger.id)
        #expect(theirs.refusal == .unknownTransaction)
        let own = try await bank.verifier.transaction(payment.id, for: phone.id)
        #expect(own.value?.transaction == payment)
    }
}
