import PrivateFiles
import TransactionApproval

/// The rate limit of one node's push notifications (SEC-33): a faulty or stolen bank program must
/// not notify all persons at once.
///
/// After a pause, one minute's worth may go out at once.
package final class PushRateLimit: Sendable {
    /// Per minute.
    package static let `default` = 10_000

    private let interval: Duration
    private let lock = Lock()
    // Only touched while `lock` is held.
    /// The time at which the limit is fully replenished, since the earliest timestamp.
    private nonisolated(unsafe) var replenished = Duration.zero

    private static let window = Duration.seconds(60)

    init(perMinute count: Int) {
        interval = Self.window / max(count, 1)
    }

    /// Takes one notification; if the limit is reached, returns when the next one is allowed.
    func take(at now: Timestamp) -> RuleResult<Timestamp> {
        let now = now.elapsed(since: .earliest)
        return lock.locked {
            let next = max(replenished, now) + interval
            guard next <= now + Self.window else {
                return .refused(.earliest + (next - Self.window))
            }
            replenished = next
            return .accepted
        }
    }
}
