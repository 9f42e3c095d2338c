import Cryptography
import FailureTranslation
import Storage
import TransactionApproval

/// The state that one attempt reads and changes, within its store transaction.
struct AttemptContext {
    let ledger: Ledger
    let conditions: CheckConditions
    /// The account of the device, before the attempt.
    let account: Account
    var credential: CredentialState
    var events: [Event] = []
    /// The credential and the end of the audit trail before the attempt.
    fileprivate let found: CredentialState
    fileprivate let audit: AuditHead
}

extension Verifier {
    /// Checks an attempt of the device API exactly once, even if it is repeated.
    ///
    /// The question is hashed before the store transaction. The rule alone decides whether a code
    /// is computed.
    func run(
        _ attempt: Attempt,
        with kind: CredentialKind,
        over question: InBandQuestion,
        fingerprint: [UInt8],
        by rule:
            @escaping @Sendable (
                inout AttemptContext, InBandCodes
            ) throws(StoreFailure) -> AttemptResult
    ) async throws(Failure) -> AttemptResult {
        let key = AttemptKey(attempt, fingerprint: fingerprint, with: kind)
        let judged = try await run(key, by: .device(attempt.device)) { state, _ throws(Failure) in
            try self.openCodes(of: state, over: question, in: attempt.code.epoch)
        } checking: { codes, context throws(StoreFailure) in
            try rule(&context, codes)
        }
        return judged.result
    }

    /// Nil for a token, which makes no in-band codes.
    func openCodes(
        of state: CredentialState,
        over question: InBandQuestion?,
        in epoch: Epoch
    ) throws(Failure) -> InBandCodes? {
        guard let seed = try openSeed(of: state) else { return nil }
        var codes = try translating(InBandCodes(of: state.context, seed: seed), to: Failure.system)
        if let question {
            try translating(codes.expect(question, in: epoch), to: Failure.system)
        }
        return codes
    }

    /// Checks an attempt unless its verdict is stored, with the secrets that `secrets` opened.
    ///
    /// The device can only load a transaction of its own account.
    func run<Secrets: Sendable>(
        _ key: AttemptKey,
        on transaction: TransactionID? = nil,
        by author: ChangeAuthor,
        opening secrets:
            @escaping @Sendable (CredentialState, TransactionRecord?) throws(Failure) -> Secrets?,
        checking check:
            @escaping @Sendable (
                Secrets, inout AttemptContext
            ) throws(StoreFailure) -> AttemptResult
    ) async throws(Failure) -> JudgedAttempt {
        try await write(by: author, reading: key.credentialQueries + transaction.queries) {
            ledger throws(StoreFailure) in
            let state = try ledger.credentialState(key.kind, on: key.device)
            let record = try transaction.flatMap { id throws(StoreFailure) in
                try ledger.transaction(id)
            }
            return (state, record?.account == state?.device.account ? record : nil)
        } opening: { state, record throws(Failure) -> Preparation<Secrets, JudgedAttempt> in
            guard let state, let opened = try secrets(state, record) else {
                return .enough(.first(.refused(.typeNotAllowed)))
            }
            return .goOn(with: opened, reading: key.queries(for: state) + transaction.queries)
        } _: { [clock, policies, uncommitted] secrets, ledger throws(StoreFailure) in
            if let stored = try ledger.stored(key) { return stored.judged }
            guard let credential = try ledger.credentialState(key.kind, on: key.device) else {
                return .first(.refused(.typeNotAllowed))
            }
            var context = try ledger.context(of: credential, by: clock, under: policies)
            // A writer of the database can have hidden the device from the replacement.
            guard context.account.replacedBy == nil else {
                return .first(.refused(.typeNotAllowed))
            }
            let result: AttemptResult
            if let known = try context.chargeUncommitted(in: uncommitted, for: key) {
                result = known
            } else {
                result = try check(secrets, &context)
                // First: a writer of the database can abort everything that follows.
                context.note(result, of: key, in: uncommitted)
                // A result that costs no attempt is not stored: a repeated attempt is checked again.
                if let verdict = AttemptVerdict(result) {
                    try context.keep(verdict, of: key, at: context.conditions.now)
                }
            }
            try context.save(after: result, by: author.actor)
            return .first(result)
        }
    }
}

extension AttemptKey {
    /// The queries of an attempt under every rule.
    fileprivate func queries(for state: CredentialState) -> [Query] {
        let own =
            switch origin {
            case .device(let id, _): Ledger.query(of: id, by: device)
            case .call(let call): Ledger.query(of: call)
            }
        let account = state.device.account
        return [own, Ledger.query(of: account), Ledger.query(of: account.enterprise)]
            + credentialQueries
    }

    fileprivate var credentialQueries: [Query] {
        [Ledger.query(of: device), Ledger.query(of: kind, on: device)]
    }
}

extension TransactionID? {
    fileprivate var queries: [Query] { map { [Ledger.query(of: $0)] } ?? [] }
}

extension Ledger {
    /// The stored result of an attempt, and the time of its verdict; nil if the attempt is new.
    func stored(_ key: AttemptKey) throws(StoreFailure) -> (judged: JudgedAttempt, made: Timestamp)?
    {
        switch key.origin {
        case .device(let id, let fingerprint):
            return try stored(id, by: key.device, fingerprint).map { result, made in
                let isRepeated = result != .refused(.attemptReused)
                return (JudgedAttempt(result: result, isRepeated: isRepeated), made)
            }
        case .call(let call):
            return try stored(call).map { earlier, made in
                switch earlier {
                case .repeated(.judged(let verdict)):
                    (JudgedAttempt(result: AttemptResult(verdict), isRepeated: true), made)
                case .repeated, .keyReused: (.first(.refused(.attemptReused)), made)
                }
            }
        }
    }

    func stored(
        _ id: AttemptID,
        by device: DeviceID,
        _ fingerprint: [UInt8]
    ) throws(StoreFailure) -> (result: AttemptResult, made: Timestamp)? {
        guard let earlier = try attempt(id, by: device) else { return nil }
        // The verifier that stored it may have stopped before it responded, so the journal must
        // catch up first.
        recorded.events.owed = try state().audit.sequence
        let isRepeated = earlier.fingerprint == fingerprint
        let result = isRepeated ? AttemptResult(earlier.verdict) : .refused(.attemptReused)
        return (result, earlier.made)
    }

    /// The conditions under which a code of this credential is checked now.
    func conditions(
        in state: StoreState,
        for credential: CredentialState,
        by clock: VerifierClock,
        under policies: PolicyCache
    ) throws(StoreFailure) -> CheckConditions {
        let policy = try policies.policy(of: credential.device.account.enterprise, self)
        return CheckConditions(
            now: clock.now(in: state),
            epoch: state.epoch,
            lockPolicy: policy.lock
        )
    }

    fileprivate func context(
        of credential: CredentialState,
        by clock: VerifierClock,
        under policies: PolicyCache
    ) throws(StoreFailure) -> AttemptContext {
        let state = try state()
        guard let account = try account(credential.device.account) else { throw .damaged }
        return AttemptContext(
            ledger: self,
            conditions: try conditions(in: state, for: credential, by: clock, under: policies),
            account: account,
            credential: credential,
            found: credential,
            audit: state.audit
        )
    }
}

extension JudgedAttempt {
    fileprivate static func first(_ result: AttemptResult) -> JudgedAttempt {
        JudgedAttempt(result: result, isRepeated: false)
    }
}

extension AttemptContext {
    /// Writes all changes of the attempt.
    fileprivate mutating func save(
        after result: AttemptResult,
        by actor: Actor
    ) throws(StoreFailure) {
        try ledger.save(credential, replacing: found)
        if credential.device.status != found.device.status { try blockOthers() }
        if case .accepted = result, credential.credential.kind.provesPerson {
            try resetConsents()
        }
        try ledger.record(events, by: actor, at: conditions.now, after: audit)
    }

    /// `moment` is that of a wrong code in the count: the two show that it was counted.
    func keep(
        _ verdict: AttemptVerdict,
        of key: AttemptKey,
        at moment: Timestamp
    ) throws(StoreFailure) {
        switch key.origin {
        case .device(let id, let fingerprint):
            try ledger.add(
                AttemptRecord(
                    device: key.device,
                    id: id,
                    made: moment,
                    fingerprint: fingerprint,
                    verdict: verdict
                )
            )
        case .call(let call):
            try ledger.keep(.judged(verdict), of: call, at: moment)
        }
    }

    /// Suspends the other devices with the same PIN.
    ///
    /// The permanent lock, which they share, blocks them already. So a row of another program does not
    /// stop this attempt.
    private mutating func blockOthers() throws(StoreFailure) {
        for id in try ledger.others(countingWith: credential) {
            _ = try ledger.skippingForged { () throws(StoreFailure) in
                let other = try ledger.other(id, countingWith: credential)
                var blocked = other
                guard blocked.block(events: &events) else { return }
                try ledger.save(blocked, replacing: other)
            }
        }
    }
}
