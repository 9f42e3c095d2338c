import Cryptography
import OneTimePassword
import TestSupport
import Testing
import TransactionApproval
import VerifierWorld

@testable import Sealing
@testable import Storage
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

    @Test func `SEC-41: a code is accepted for its own bytes, and with no bit changed`() throws {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let (code, bytes) = (try approval(by: codes), payment.canonicalBytes)
        #expect(try check(code, evidence(code, over: bytes), over: bytes, codes) == .accepted)
        for bit in 0..<8 * bytes.count {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let unsigned = try check(code, evidence(code, over: bytes), over: changed, codes)
            #expect(unsigned == .refused(.evidenceMismatch), "bit \(bit)")
            let signed = try check(code, evidence(code, over: changed), over: changed, codes)
            #expect(signed == .refused(.wrongCode(.counted(attemptsLeft: 4))), "bit \(bit)")
        }
    }

    @Test func `SEC-34: evidence of another decision is refused`() throws {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let (code, bytes) = (try approval(by: codes), payment.canonicalBytes)
        let others: [SignedEvidence?] = [
            nil, try evidence(code, of: .approve(.consent), over: bytes),
            try evidence(code, of: .reject(.notMe), over: bytes),
            try evidence(code.with(counter: Counter(1)), over: bytes),
            try evidence(code.with(epoch: Epoch(1)), over: bytes),
            try evidence(code.with(generation: Generation(1)), over: bytes),
        ]
        for evidence in others {
            #expect(try check(code, evidence, over: bytes, codes) == .refused(.evidenceMismatch))
        }
    }

    @Test func `SEC-34: evidence of another key is refused`() throws {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let (code, bytes) = (try approval(by: codes), payment.canonicalBytes)
        let other = try evidence(code, over: bytes, by: P256.PrivateKey())
        #expect(try check(code, other, over: bytes, codes) == .refused(.evidenceMismatch))
    }

    @Test func `SEC-32: a decision without the required number, or with an extra one, is refused`()
        throws
    {
        let codes = try InBandCodes(of: credential.context, seed: try phone.seed(.user))
        let (code, bytes) = (try approval(by: codes), payment.canonicalBytes)
        let sealed = SealedValue(keyVersion: 1, stored: [])
        for (opened, stored) in [(nil, sealed), (TypedNumber("47"), nil)] {
            var state = state(over: bytes, number: stored)
            let before = state
            let decision = OpenedDecision(
                codes: codes,
                number: opened,
                evidence: try evidence(code, over: bytes)
            )
            #expect(try check(code, decision, in: &state) == .refused(.unknownTransaction))
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

    private func evidence(
        _ code: CodeEnvelope,
        of choice: DecisionExchange.Choice = .approve(.userPIN),
        over bytes: [UInt8],
        by key: P256.PrivateKey? = nil
    ) throws -> SignedEvidence {
        let key = key ?? phone.key
        let hash = try TransactionHash(ofCanonicalBytes: bytes)
        let evidence = DecisionEvidence(of: choice, on: hash, by: phone.id, code)
        let signature = try evidence.signature(by: key)
        return try evidence.signed(with: signature, by: key.publicKey).unwrapped()
    }

    private func check(
        _ code: CodeEnvelope,
        _ evidence: SignedEvidence?,
        over bytes: [UInt8],
        _ codes: InBandCodes
    ) throws -> RuleResult<Refusal> {
        var state = state(over: bytes)
        let opened = OpenedDecision(codes: codes, number: nil, evidence: evidence)
        return try check(code, opened, in: &state)
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
                source: record.source,
                number: number,
                state: .pending
            ),
            limits: DecisionLimits()
        )
    }

    private func check(
        _ code: CodeEnvelope,
        _ opened: OpenedDecision,
        in state: inout DecisionState
    ) throws -> RuleResult<Refusal> {
        var events: [Event] = []
        let conditions = CheckConditions(
            now: bank.clock.now,
            epoch: Epoch(0),
            lockPolicy: .default
        )
        let hash = try TransactionHash(of: payment)
        let request = try phone.decision(.approve(.userPIN), on: payment.id, hash, code)
        return try state.check(request, with: opened, in: conditions, events: &events)
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
