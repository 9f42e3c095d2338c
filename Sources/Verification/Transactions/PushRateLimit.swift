import PrivateFiles
import TransactionApproval

/// The rate limit of one node's push notifications (SEC-33): a faulty or stolen bank program must
/// not notify all persons at once.
///
/// Each source has a limit of its own, so card payments never use up that of the bank (SEC-84).
///
/// After a pause, one minute's worth may go out at once.
package final class PushRateLimit: Sendable {
    /// Per minute.
    package static let `default` = 10_000

    private let count: Int
    private let interval: Duration
    /// The time at which the limit is fully replenished, since the earliest timestamp.
    private let replenished = LockedValue(Duration.zero)

    private static let window = Duration.seconds(60)

    init(perMinute count: Int) {
        self.count = max(count, 1)
        interval = Self.window / self.count
    }

    /// For one transaction.
    func permit() -> Permit { Permit(from: self) }

    /// Takes one notification for each device.
    ///
    /// If the limit is reached, takes none and returns when all are allowed. More devices than the
    /// limit take all of it, so that their person is not refused forever.
    func take(_ devices: Int, at now: Timestamp) -> RuleResult<Timestamp> {
        guard devices > 0 else { return .accepted }
        let now = now.elapsed(since: .earliest)
        return replenished.withLock { replenished in
            let next = max(replenished, now) + interval * min(devices, count)
            guard next <= now + Self.window else {
                return .refused(.earliest + (next - Self.window))
            }
            replenished = next
            return .accepted
        }
    }
}

extension PushRateLimit {
    /// The notifications of one transaction.
    ///
    /// The job that takes them may run again, after a failure of the store. Then they count once.
    final class Permit: Sendable {
        private let limit: PushRateLimit
        private let isTaken = LockedValue(false)

        fileprivate init(from limit: PushRateLimit) {
            self.limit = limit
        }

        /// Takes one for each device that wants them, or none.
        func take(_ devices: Int, at now: Timestamp) -> RuleResult<Timestamp> {
            isTaken.withLock { isTaken in
                if isTaken { return .accepted }
                let result = limit.take(devices, at: now)
                isTaken = result.isAccepted
                return result
            }
        }
    }
}
