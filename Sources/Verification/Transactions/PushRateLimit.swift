import TransactionApproval

/// How many pushes the requests to one node may cause, to whomever (SEC-33): a program of the bank
/// that runs wild, or that somebody else runs, must not wake everybody at once.
///
/// A minute's worth of them may come at once after a rest.
package final class PushBudget: Sendable {
    /// For each minute.
    package static let standard = 10_000

    private let interval: Duration
    private let lock = Lock()
    // Only touched while `lock` is held.
    /// When it has rested, counted from the beginning of time: less than a millisecond counts.
    private nonisolated(unsafe) var rested = Duration.zero

    private static let rest = Duration.seconds(60)

    init(perMinute count: Int) {
        interval = Self.rest / max(count, 1)
    }

    /// Counts one more; or gives when there is room for one, and counts nothing.
    func take(at now: Timestamp) -> Timestamp? {
        let now = now.elapsed(since: .earliest)
        return lock.locked {
            let next = max(rested, now) + interval
            guard next <= now + Self.rest else { return .earliest + (next - Self.rest) }
            rested = next
            return nil
        }
    }
}
