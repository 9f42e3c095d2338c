import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Verification

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

    @Test func `SEC-41: a code is accepted for its own bytes, and with no bit changed`()
        throws
    {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let code = try approval(by: codes)
        let submitted = try decision(code, over: payment.canonicalBytes)
        #expect(try answer(to: submitted, over: payment.canonicalBytes, codes) == nil)
        for bit in 0..<8 * payment.canonicalBytes.count {
            var bytes = payment.canonicalBytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            let unsigned = try answer(to: submitted, over: bytes, codes)
            #expect(unsigned == .evidenceMismatch, "bit \(bit)")
            let signed = try answer(to: try decision(code, over: bytes), over: bytes, codes)
            #expect(signed == .wrongCode(.counted(attemptsLeft: 4)), "bit \(bit)")
        }
    }

    @Test func `SEC-34: evidence of another decision is refused`() throws {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let (code, bytes) = (try approval(by: codes), payment.canonicalBytes)
        let others: [SignedEvidence?] = [
            nil, try evidence(.approve(.consent), code, over: bytes),
            try evidence(.reject(.notMe), code, over: bytes),
            try evidence(.approve(.userPIN), code.with(counter: Counter(1)), over: bytes),
            try evidence(.approve(.userPIN), code.with(epoch: Epoch(1)), over: bytes),
            try evidence(.approve(.userPIN), code.with(generation: Generation(1)), over: bytes),
        ]
        for evidence in others {
            let submitted = SubmittedDecision(
                choice: .approve(.userPIN),
                evidence: evidence,
                code: code
            )
            #expect(try answer(to: submitted, over: bytes, codes) == .evidenceMismatch)
        }
    }

    @Test func `SEC-34: evidence of another key is refused`() throws {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let (code, bytes) = (try approval(by: codes), payment.canonicalBytes)
        let submitted = SubmittedDecision(
            choice: .approve(.userPIN),
            evidence: try evidence(.approve(.userPIN), code, over: bytes, by: P256.PrivateKey()),
            code: code
        )
        #expect(try answer(to: submitted, over: bytes, codes) == .evidenceMismatch)
    }

    @Test func `SEC-32: a decision without the required number, or with an extra one, is refused`()
        throws
    {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let submitted = try decision(try approval(by: codes), over: payment.canonicalBytes)
        let sealed = SealedValue(keyVersion: 1, bytes: [])
        for (opened, stored) in [(nil, sealed), (TypedNumber("47"), nil)] {
            var state = state(over: payment.canonicalBytes, number: stored)
            let before = state
            let refusal = try judge(submitted, in: &state, number: opened, codes)
            #expect(refusal == .unknownTransaction)
            #expect(state == before)
        }
    }

    private func approval(by codes: InBandCodes) throws -> CodeEnvelope {
        let hash = try TransactionHash(of: payment)
        let code = try codes.code(
            for: .decision(hash, .approve, nil),
            in: Epoch(0),
            at: Counter(0)
        )
        return CodeEnvelope(
            attempt: try .random(),
            generation: .first,
            epoch: Epoch(0),
            counter: Counter(0),
            code: try #require(InBandCode(code)),
            blind: try .random()
        )
    }

    private func decision(
        _ code: CodeEnvelope,
        over bytes: [UInt8]
    ) throws -> SubmittedDecision {
        SubmittedDecision(
            choice: .approve(.userPIN),
            evidence: try evidence(.approve(.userPIN), code, over: bytes),
            code: code
        )
    }

    private func evidence(
        _ choice: DecisionExchange.Choice,
        _ code: CodeEnvelope,
        over bytes: [UInt8],
        by key: P256.PrivateKey? = nil
    ) throws -> SignedEvidence {
        let key = key ?? phone.key
        let hash = try TransactionHash(ofCanonicalBytes: bytes)
        let evidence = DecisionEvidence(of: choice, on: hash, by: phone.id, code)
        let signature = try evidence.signature(by: key)
        return try evidence.signed(with: signature, by: key.publicKey).unwrapped()
    }

    private func answer(
        to submitted: SubmittedDecision,
        over bytes: [UInt8],
        _ codes: InBandCodes
    ) throws -> Refusal? {
        var state = state(over: bytes)
        return try judge(submitted, in: &state, codes)
    }

    private func state(over bytes: [UInt8], number: SealedValue? = nil) -> DecisionState {
        DecisionState(
            credential: credential,
            transaction: TransactionRecord(
                id: record.id,
                account: record.account,
                canonicalBytes: bytes,
                acceptedAuthentication: record.acceptedAuthentication,
                created: record.created,
                deadline: record.deadline,
                number: number,
                state: .pending
            )
        )
    }

    private func judge(
        _ submitted: SubmittedDecision,
        in state: inout DecisionState,
        number: TypedNumber? = nil,
        _ codes: InBandCodes
    ) throws -> Refusal? {
        var events: [Event] = []
        let circumstances = Circumstances(
            now: bank.clock.now,
            epoch: Epoch(0),
            lockPolicy: .standard
        )
        return try state.judge(
            submitted,
            number: number,
            with: codes,
            in: circumstances,
            events: &events
        )
    }

    @Test func `a closed transaction never changes`() {
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
