import PrivateFiles
import TransactionApproval

/// Remembers wrong codes from their computation until a commit counts them.
///
/// A writer of the database can see that a code is wrong, and then abort the commit that counts it. So
/// each wrong code is noted before anything is written. It counts for the next attempts until one of
/// their commits contains it. A job that runs again finds its own failure here, and counts it once.
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

    /// Notes a failure, or the new place of a known one.
    func note(_ failure: UncommittedFailure, of credential: CountingCredential) {
        failures.withLock { all in
            if all[credential] == nil, all.count >= maximum {
                let oldest = all.min { $0.value[0].moment < $1.value[0].moment }
                if let oldest { all[oldest.key] = nil }
            }
            var known = all[credential] ?? []
            if let index = known.firstIndex(where: { $0.attempt == failure.attempt }) {
                known[index] = failure
            } else {
                known.append(failure)
            }
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
    let attempt: AttemptKey
    let moment: Timestamp
    /// How many failures of this moment the row has if it counts this one, too.
    var place: Int

    /// The last failure of a count.
    init(of attempt: AttemptKey, at moment: Timestamp, in count: FailureCount) {
        self.attempt = attempt
        self.moment = moment
        place = count.failures(at: moment)
    }

    /// False if its commit failed.
    func isCounted(in count: FailureCount) -> Bool { count.failures(at: moment) >= place }
}

/// Wrong codes that a transaction counts.
struct CountedFailures: Sendable {
    let credential: CountingCredential
    let attempts: [AttemptKey]
}

extension FailureCount {
    fileprivate func failures(at moment: Timestamp) -> Int { moments.count { $0 == moment } }
}

extension AttemptContext {
    /// Charges the wrong codes whose commits failed.
    ///
    /// Returns the result of this attempt if its code is one of them: it is not computed again.
    mutating func chargeUncommitted(
        in memory: UncommittedFailures,
        for attempt: AttemptKey
    ) -> AttemptResult? {
        let counting = CountingCredential(for: credential)
        let known = memory.failures(of: counting)
        guard !known.isEmpty else { return nil }
        for failure in known.filter({ !$0.isCounted(in: credential.failures) })
        where credential.failures.lock != .permanent {
            charge(failure)
            let moved = UncommittedFailure(
                of: failure.attempt,
                at: failure.moment,
                in: credential.failures
            )
            memory.note(moved, of: counting)
        }
        ledger.recorded.countedFailures.append(
            CountedFailures(credential: counting, attempts: known.map(\.attempt))
        )
        guard known.contains(where: { $0.attempt == attempt }) else { return nil }
        return .refused(
            .wrongCode(
                credential.failures.consequence(at: conditions.now, by: conditions.lockPolicy)
            )
        )
    }

    private mutating func charge(_ failure: UncommittedFailure) {
        let then = CheckConditions(
            now: failure.moment,
            epoch: conditions.epoch,
            lockPolicy: conditions.lockPolicy
        )
        _ = credential.charge(in: then, events: &events)
    }

    /// Notes the code of this attempt if it was wrong.
    func note(
        _ result: AttemptResult,
        of attempt: AttemptKey,
        in memory: UncommittedFailures
    ) {
        guard case .refused(.wrongCode) = result else { return }
        let counting = CountingCredential(for: credential)
        let failure = UncommittedFailure(
            of: attempt,
            at: conditions.now,
            in: credential.failures
        )
        memory.note(failure, of: counting)
        ledger.recorded.countedFailures.append(
            CountedFailures(credential: counting, attempts: [attempt])
        )
    }
}
