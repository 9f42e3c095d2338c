import Cryptography
import OneTimePassword
package import TransactionApproval

/// A code with its envelope, from a device whose request signature is valid.
package struct Attempt: Sendable {
    package let device: DeviceID
    package let code: CodeEnvelope

    package init(device: DeviceID, code: CodeEnvelope) {
        self.device = device
        self.code = code
    }
}

package enum AttemptResult: Equatable, Sendable {
    /// With the id of the login that it created, if any.
    case accepted(TransactionID?)
    case refused(Refusal)
}

/// The state that one attempt reads and changes, within its store transaction.
struct AttemptScene {
    let ledger: Ledger
    let circumstances: Circumstances
    var credential: CredentialState
    var events: [Event] = []
    /// The credential and the end of the audit trail before the attempt.
    fileprivate let found: CredentialState
    fileprivate let audit: AuditHead
}

/// Identifies an attempt, so that a repeated one gets the stored verdict.
struct AttemptName: Sendable {
    enum Origin: Sendable {
        /// From the device, with a digest of the request without the code.
        case device(AttemptID, fingerprint: [UInt8])
        case call(BankCall)
    }

    let origin: Origin
    let kind: CredentialKind
    let device: DeviceID

    init(_ origin: Origin, of kind: CredentialKind, on device: DeviceID) {
        self.origin = origin
        self.kind = kind
        self.device = device
    }
}

extension Verifier {
    /// Checks an attempt of the device API exactly once, even if it is repeated.
    ///
    /// The question is hashed before the store transaction. The rule alone decides whether a code
    /// is computed.
    func run(
        _ attempt: Attempt,
        with kind: CredentialKind,
        on transaction: TransactionID? = nil,
        asking question:
            @escaping @Sendable (
                TransactionRecord?, TypedNumber?
            ) throws(SystemFailure) -> InBandQuestion?,
        fingerprint: [UInt8],
        by rule:
            @escaping @Sendable (
                inout AttemptScene, OpenedCodes
            ) throws(StoreFailure) -> AttemptResult
    ) async throws(Failure) -> AttemptResult {
        let name = AttemptName(
            .device(attempt.code.attempt, fingerprint: fingerprint),
            of: kind,
            on: attempt.device
        )
        return try await run(name, on: transaction, by: .device(attempt.device)) {
            state,
            record throws(Failure) in
            guard let seed = try openSeed(of: state) else { return nil }
            let number = try record.flatMap { record throws(Failure) in try openNumber(of: record) }
            return try onThisMachine { () throws(SystemFailure) in
                var codes = try InBandCodes(of: state.context, seed: seed)
                if let question = try question(record, number) {
                    try codes.expect(question, in: attempt.code.epoch)
                }
                return OpenedCodes(inBand: codes, number: number)
            }
        } judge: { codes, scene throws(StoreFailure) in
            try rule(&scene, codes)
        }
    }

    /// Checks an attempt unless its verdict is stored, with the secrets that `secrets` opened.
    func run<Secrets: Sendable>(
        _ name: AttemptName,
        on transaction: TransactionID? = nil,
        by actor: Actor,
        opening secrets:
            @escaping @Sendable (
                CredentialState, TransactionRecord?
            ) throws(Failure) -> Secrets?,
        judge:
            @escaping @Sendable (
                Secrets, inout AttemptScene
            ) throws(StoreFailure) -> AttemptResult
    ) async throws(Failure) -> AttemptResult {
        try await write { ledger throws(StoreFailure) in
            (
                try ledger.credentialState(name.kind, on: name.device),
                try transaction.flatMap { id throws(StoreFailure) in try ledger.transaction(id) }
            )
        } opening: { state, record throws(Failure) -> Preparation<Secrets, AttemptResult> in
            guard let state, let opened = try secrets(state, record) else {
                return .enough(.refused(.typeNotAllowed))
            }
            return .goOn(with: opened)
        } _: { [clock, policies] secrets, ledger throws(StoreFailure) in
            if let told = try ledger.answer(to: name) { return told }
            guard let credential = try ledger.credentialState(name.kind, on: name.device) else {
                return .refused(.typeNotAllowed)
            }
            var scene = try ledger.scene(of: credential, by: clock, under: policies)
            let answer = try judge(secrets, &scene)
            try scene.keep(answer, to: name, by: actor)
            return answer
        }
    }
}

struct OpenedCodes: Sendable {
    let inBand: InBandCodes
    let number: TypedNumber?
}

extension AttemptScene {
    /// Runs code that can fail on this system; then the store transaction is rolled back.
    mutating func onThisMachine<Result: ~Copyable>(
        _ body: (inout AttemptScene) throws(SystemFailure) -> Result
    ) throws(StoreFailure) -> Result {
        do throws(SystemFailure) {
            return try body(&self)
        } catch {
            throw .unavailable
        }
    }
}

extension Ledger {
    fileprivate func answer(to name: AttemptName) throws(StoreFailure) -> AttemptResult? {
        switch name.origin {
        case .device(let id, let fingerprint):
            return try answer(to: id, of: name.device, fingerprint)
        case .call(let call):
            switch try earlier(call) {
            case nil: return nil
            case .told(.judged(let verdict)): return AttemptResult(verdict)
            case .told, .keyReused: return .refused(.attemptReused)
            }
        }
    }

    /// The stored verdict; nil if the attempt is new.
    func answer(
        to id: AttemptID,
        of device: DeviceID,
        _ fingerprint: [UInt8]
    ) throws(StoreFailure) -> AttemptResult? {
        guard let earlier = try attempt(id, by: device) else { return nil }
        // The verifier that stored it may have stopped before it responded, so the journal must
        // catch up first.
        recorded.events.owed = try state().audit.sequence
        return earlier.fingerprint == fingerprint
            ? AttemptResult(earlier.verdict) : .refused(.attemptReused)
    }

    fileprivate func scene(
        of credential: CredentialState,
        by clock: VerifierClock,
        under policies: PolicyShelf
    ) throws(StoreFailure) -> AttemptScene {
        let state = try state()
        let policy = try policies.policy(of: credential.device.account.enterprise, self)
        return AttemptScene(
            ledger: self,
            circumstances: Circumstances(
                now: clock.now(in: state),
                epoch: state.epoch,
                lockPolicy: policy.lock
            ),
            credential: credential,
            found: credential,
            audit: state.audit
        )
    }
}

extension AttemptScene {
    /// Writes all changes of the attempt, and its verdict.
    fileprivate mutating func keep(
        _ answer: AttemptResult,
        to name: AttemptName,
        by actor: Actor
    ) throws(StoreFailure) {
        try ledger.save(credential, replacing: found)
        if credential.device != found.device { try blockOthers() }
        // A result that costs no attempt is not stored: a repeated attempt is checked again.
        if let verdict = AttemptVerdict(answer) { try keep(verdict, of: name) }
        try ledger.record(events, by: actor, at: circumstances.now, after: audit)
    }

    private func keep(_ verdict: AttemptVerdict, of name: AttemptName) throws(StoreFailure) {
        switch name.origin {
        case .device(let id, let fingerprint):
            try ledger.add(
                AttemptRecord(
                    device: name.device,
                    id: id,
                    made: circumstances.now,
                    fingerprint: fingerprint,
                    verdict: verdict
                )
            )
        case .call(let call):
            try ledger.keep(.judged(verdict), of: call, at: circumstances.now)
        }
    }

    /// Suspends the other devices with the same PIN.
    private mutating func blockOthers() throws(StoreFailure) {
        for other in try ledger.others(countingWith: credential) {
            var blocked = other
            guard blocked.block(events: &events) else { continue }
            try ledger.save(blocked, replacing: other)
        }
    }
}

extension AttemptResult {
    init(_ verdict: AttemptVerdict) {
        self =
            switch verdict {
            case .accepted(let id): .accepted(id)
            case .unchanged: .accepted(nil)
            case .wrongCode(let consequence): .refused(.wrongCode(consequence))
            }
    }
}

extension AttemptVerdict {
    /// Nil if the result costs no attempt.
    init?(_ answer: AttemptResult) {
        switch answer {
        case .accepted(let id): self = .accepted(id)
        case .refused(.wrongCode(let consequence)): self = .wrongCode(consequence)
        case .refused: return nil
        }
    }
}
