import PrivateFiles
import Storage

/// Notices when the verifier can no longer commit changes, and when it can again.
///
/// On a disk that is nearly full, small changes still succeed. So an outage only ends with a change
/// that succeeds after `quietTime` without a failure.
package final class OutageMonitor: Sendable {
    package enum Change: Equatable, Sendable {
        case began(Verifier.Failure)
        case ended(after: Duration)
    }

    package typealias Observer = @Sendable (Change) -> Void

    package static let quietTime = Duration.seconds(10)

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var outage:
        (start: ContinuousClock.Instant, lastFailure: ContinuousClock.Instant, isFull: Bool)?
    private nonisolated(unsafe) var observers: [Observer] = []

    package init() {}

    package var isOutage: Bool { lock.locked { outage != nil } }
    /// Whether the last failure of an outage is a full disk, on which small changes succeed.
    package var isFull: Bool { lock.locked { outage?.isFull ?? false } }

    /// Calls `observer` when an outage begins and when it ends.
    package func addObserver(_ observer: @escaping Observer) {
        lock.locked { observers.append(observer) }
    }

    package func note(_ failure: Verifier.Failure, at now: ContinuousClock.Instant = .now) {
        guard failure.isOutage else { return }
        let isFirst = lock.locked {
            defer { outage = (outage?.start ?? now, now, failure.isFull) }
            return outage == nil
        }
        if isFirst { notify(.began(failure)) }
    }

    package func noteSuccess(at now: ContinuousClock.Instant = .now) {
        let start: ContinuousClock.Instant? = lock.locked {
            guard let ending = outage, now - ending.lastFailure >= Self.quietTime else {
                return nil
            }
            outage = nil
            return ending.start
        }
        if let start { notify(.ended(after: now - start)) }
    }

    private func notify(_ change: Change) {
        for observer in lock.locked({ observers }) { observer(change) }
    }
}

extension Verifier.Failure {
    /// Whether no other change can succeed either, until the store or the journal works again.
    package var isOutage: Bool {
        switch self {
        case .store(let failure): failure.reason.isOutage
        case .journal: true
        case .system, .sealedRecord, .policy, .confirmation: false
        }
    }
}

extension Verifier.Failure {
    fileprivate var isFull: Bool {
        guard case .store(let failure) = self else { return false }
        return failure.reason == .full
    }
}

extension StoreFailure.Reason {
    fileprivate var isOutage: Bool {
        switch self {
        case .readOnly, .missingRight, .damaged, .full, .busy, .unavailable, .uncertain,
            .rolledBack:
            true
        case .malformedAddress, .unprotected, .elsewhere, .missing, .exists, .unsafeFile, .strayLog,
            .foreign,
            .newer, .older, .forged, .missingKey, .unauthenticated, .outdatedKey, .conflict,
            .system,
            .misuse:
            false
        }
    }
}
