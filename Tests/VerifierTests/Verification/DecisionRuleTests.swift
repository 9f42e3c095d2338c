import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verifier

@Suite struct `The rule of a decision` {
    private let bank: Bank
    private let phone: Phone
    private let payment: Transaction
    private let record: TransactionRecord
    private let credential: CredentialState

    init() async throws {
        bank = try await Bank()
        phone = try await bank.activate()
        let payment = try await bank.pay()
        record = try #require(
            try await bank.read { ledger throws(StoreFailure) in
                try ledger.transaction(payment.id)
            }
        )
        credential = try await bank.credential(of: phone)
        self.payment = payment
    }

    @Test func `SEC-41: takes the code for these bytes, and with any one bit changed for none`()
        throws
    {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let hash = try TransactionHash(of: payment)
        let submitted = SubmittedDecision(
            decision: .approve,
            type: .userPIN,
            code: SubmittedCode(
                generation: .first,
                counter: Counter(0),
                code: try codes.code(
                    for: .decision(hash, .approve, nil),
                    in: Epoch(0),
                    at: Counter(0)
                )
            )
        )
        #expect(try answer(to: submitted, over: payment.canonicalBytes, codes) == nil)
        for bit in 0..<8 * payment.canonicalBytes.count {
            var bytes = payment.canonicalBytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            let refusal = try answer(to: submitted, over: bytes, codes)
            #expect(refusal == .wrongCode(.counted(attemptsLeft: 4)), "bit \(bit)")
        }
    }

    private func answer(
        to submitted: SubmittedDecision,
        over bytes: [UInt8],
        _ codes: borrowing InBandCodes
    ) throws -> Refusal? {
        var events: [Event] = []
        var state = DecisionState(
            credential: credential,
            transaction: TransactionRecord(
                id: record.id,
                account: record.account,
                canonicalBytes: bytes,
                acceptedAuthentication: record.acceptedAuthentication,
                created: record.created,
                deadline: record.deadline,
                number: nil,
                state: .pending
            )
        )
        let circumstances = Circumstances(
            now: bank.clock.now,
            epoch: Epoch(0),
            lockPolicy: .standard
        )
        return try state.judge(
            submitted,
            number: nil,
            with: codes,
            in: circumstances,
            events: &events
        )
    }

    @Test func `moves nothing of a transaction that has ended`() {
        var record = record
        let outcome = TransactionRecord.Outcome.rejected(.notMe, by: phone.id)
        let isFirst = record.close(as: outcome, at: bank.clock.now)
        let ended = record
        for other in [TransactionRecord.Outcome.withdrawn, .expired, .void] {
            let isAnother = record.close(as: other, at: bank.clock.now)
            #expect(!isAnother)
        }
        #expect(isFirst)
        #expect(record == ended)
    }
}
