import PrivateFiles
import Storage

/// Notices when the verifier can no longer commit changes, and when it can again.
///
/// On a disk that is nearly full, small changes still succeed. So an outage only ends with a change
/// that succeeds after `quietTime` without a failure.
package final class OutageMonitor: Sendable {
    package enum Change: Equatable, Sendable {
        case began(Verifier.Failure)
        /// A failure that this outage did not have yet.
        case continues(Verifier.Failure)
        case ended(after: Duration)
    }

    package typealias Observer = @Sendable (Change) -> Void

    package static let quietTime = Duration.seconds(10)

    private struct Outage {
        let start: ContinuousClock.Instant
        var lastFailure: ContinuousClock.Instant
        var isFull: Bool
        /// With their texts, in which failures of one kind can differ.
        var reported: Set<String>
    }

    /// Of one outage, so that a text that always differs does not fill the log.
    private static let maximumReports = 8

    private let outage = LockedValue<Outage?>(nil)
    private let observers = LockedValue<[Observer]>([])

    package init() {}

    package var isOutage: Bool { outage.withLock { $0 != nil } }
    /// Whether the last failure of an outage is a full disk, on which small changes succeed.
    package var isFull: Bool { outage.withLock { $0?.isFull ?? false } }

    /// Calls `observer` when an outage begins, gets another cause, and ends.
    package func addObserver(_ observer: @escaping Observer) {
        observers.withLock { $0.append(observer) }
    }

    package func note(_ failure: Verifier.Failure, at now: ContinuousClock.Instant = .now) {
        guard failure.isOutage else { return }
        let change: Change? = outage.withLock { outage in
            guard var present = outage else {
                outage = Outage(
                    start: now,
                    lastFailure: now,
                    isFull: failure.isFull,
                    reported: ["\(failure)"]
                )
                return .began(failure)
            }
            (present.lastFailure, present.isFull) = (now, failure.isFull)
            let isNew =
                present.reported.count < Self.maximumReports
                && present.reported.insert("\(failure)").inserted
            outage = present
            return isNew ? .continues(failure) : nil
        }
        if let change { notify(change) }
    }

    package func noteSuccess(at now: ContinuousClock.Instant = .now) {
        let start: ContinuousClock.Instant? = outage.withLock { outage in
            guard let ending = outage, now - ending.lastFailure >= Self.quietTime else {
                return nil
            }
            outage = nil
            return ending.start
        }
        if let start { notify(.ended(after: now - start)) }
    }

    private func notify(_ change: Change) {
        for observer in observers.withLock({ $0 }) { observer(change) }
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

    /// Whether the store is the cause, also if the journal met it.
    package var isOutageOfStore: Bool {
        switch self {
        case .store(let failure), .journal(.store(let failure)): failure.reason.isOutage
        case .journal, .system, .sealedRecord, .policy, .confirmation: false
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
        case .readOnly, .missingRight, .altered, .damaged, .full, .busy, .unavailable, .uncertain,
            .rolledBack, .foreign, .newer, .older, .misuse:
            true
        case .malformedAddress, .unprotected, .elsewhere, .missing, .exists, .unsafeFile, .strayLog,
            .forged, .missingKey, .outdatedKey, .conflict, .system:
            false
        }
    }
}
