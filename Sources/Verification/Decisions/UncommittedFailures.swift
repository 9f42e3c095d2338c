import PrivateFiles
import Storage
import TransactionApproval

/// Remembers wrong codes from their computation until a commit counts them.
///
/// A writer of the database can see that a code is wrong, and then abort the commit that counts it. So
/// each wrong code is noted before anything is written. It counts for the next attempts until one of
/// their commits contains it.
///
/// A failure is stored together with the verdict of its attempt, which has its moment. So both show that
/// it was counted, by this node or by another one, also if the response to the commit was lost. The
/// verdict alone shows nothing: a writer can put one back.
final class UncommittedFailures: Sendable {
    /// Then the credential with the oldest failure is forgotten; each one has at most 30 failures.
    static let maximumCredentials = 65_536

    private let maximum: Int
    private let failures = LockedValue([CountingCredential: [UncommittedFailure]]())

    init(maximumCredentials: Int = maximumCredentials) {
        maximum = maximumCredentials
    }

    /// In the order of their computation.
    func failures(of credential: CountingCredential) -> [UncommittedFailure] {
        failures.withLock { $0[credential] ?? [] }
    }

    /// Notes a failure; the first moment of an attempt stays.
    func note(_ failure: UncommittedFailure, of credential: CountingCredential) {
        failures.withLock { all in
            if all[credential] == nil, all.count >= maximum {
                let oldest = all.min { $0.value[0].moment < $1.value[0].moment }
                if let oldest { all[oldest.key] = nil }
            }
            var known = all[credential] ?? []
            guard !known.contains(where: { $0.attempt == failure.attempt }) else { return }
            known.append(failure)
            all[credential] = known
        }
    }

    /// Forgets failures after the commit of a transaction that counts them.
    func remove(_ counted: CountedFailures) {
        failures.withLock { all in
            guard var known = all[counted.credential] else { return }
            known.removeAll { counted.attempts.contains($0.attempt) }
            all[counted.credential] = known.isEmpty ? nil : known
        }
    }
}

/// The credential whose row counts wrong codes, its own or also those of others with the same PIN.
struct CountingCredential: Hashable, Sendable {
    let device: DeviceID
    let kind: CredentialKind

    init(for state: CredentialState) {
        device = state.countingDevice ?? state.device.id
        kind = state.credential.kind
    }
}

/// A wrong code that was computed.
struct UncommittedFailure: Sendable {
    /// Verdicts are kept for two days: then a counted failure would seem uncounted.
    static let longestTime = Duration.seconds(24 * 60 * 60)

    let attempt: AttemptKey
    let moment: Timestamp

    /// Returns true if the store counts it: its verdict is from after the failure, and the moment of the
    /// verdict is in the count.
    ///
    /// Each moment of the count proves one failure, so the moment is removed.
    func takeProof(
        _ stored: (judged: JudgedAttempt, made: Timestamp),
        from counted: inout [Timestamp]
    ) -> Bool {
        guard
            case .refused(.wrongCode) = stored.judged.result, stored.made >= moment,
            let place = counted.firstIndex(of: stored.made)
        else { return false }
        counted.remove(at: place)
        return true
    }
}

/// Wrong codes that a transaction counts.
struct CountedFailures: Sendable {
    let credential: CountingCredential
    let attempts: [AttemptKey]
}

extension AttemptContext {
    /// Charges the wrong codes whose commits failed, and keeps their verdicts.
    ///
    /// Returns the result of this attempt if its code is one of them: it is not computed again. The
    /// same attempt with another code is not computed either, because only one verdict can be stored.
    mutating func chargeUncommitted(
        in memory: UncommittedFailures,
        for attempt: AttemptKey
    ) throws(StoreFailure) -> AttemptResult? {
        // No code is computed for another device, and it cannot suspend those with the same PIN.
        guard credential.device.status == .active else { return nil }
        let counting = CountingCredential(for: credential)
        let known = memory.failures(of: counting)
        guard !known.isEmpty else { return nil }
        let recent = known.filter(isRecent)
        guard !recent.contains(where: { $0.attempt.collides(with: attempt) }) else {
            return .refused(.attemptReused)
        }
        var result: AttemptResult?
        var counted = credential.failures.moments
        for failure in recent {
            let stored = try ledger.stored(failure.attempt)
            if let stored, failure.takeProof(stored, from: &counted) { continue }
            let (consequence, moment) = charge(failure)
            if failure.attempt == attempt { result = .refused(.wrongCode(consequence)) }
            if stored == nil {
                try keep(.wrongCode(consequence), of: failure.attempt, at: moment)
            }
        }
        let attempts = known.map(\.attempt)
        ledger.recorded.countedFailures.append(
            CountedFailures(credential: counting, attempts: attempts)
        )
        return result
    }

    private func isRecent(_ failure: UncommittedFailure) -> Bool {
        conditions.now.elapsed(since: failure.moment) < UncommittedFailure.longestTime
    }

    private mutating func charge(
        _ failure: UncommittedFailure
    ) -> (FailureCount.Consequence, moment: Timestamp) {
        // Other nodes can have counted later ones.
        let moment = max(failure.moment, credential.failures.moments.last ?? failure.moment)
        guard credential.failures.lock != .permanent else { return (.blocked, moment) }
        let then = CheckConditions(
            now: moment,
            epoch: conditions.epoch,
            lockPolicy: conditions.lockPolicy
        )
        return (credential.charge(in: then, events: &events), moment)
    }

    /// Notes the code of this attempt if it was wrong.
    func note(
        _ result: AttemptResult,
        of attempt: AttemptKey,
        in memory: UncommittedFailures
    ) {
        guard case .refused(.wrongCode) = result else { return }
        let counting = CountingCredential(for: credential)
        memory.note(UncommittedFailure(attempt: attempt, moment: conditions.now), of: counting)
        ledger.recorded.countedFailures.append(
            CountedFailures(credential: counting, attempts: [attempt])
        )
    }
}
