import PrivateFiles
import Verification

/// A pause in sending to one receiver, after a timeout or a Retry-After.
///
/// Otherwise a receiver that does not respond could hold its delivery slots until each attempt
/// times out.
final class Cooldown: Sendable {
    static let afterSilence = Duration.seconds(10)

    /// The duration of a slow refusal counts as silence.
    static func afterRefusal(taking time: Duration) -> Duration {
        time < .seconds(1) ? .zero : time
    }

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var end = ContinuousClock.now

    /// Nil if there is no cooldown.
    var remaining: Duration? {
        let cooldown = lock.locked { end } - .now
        return cooldown > .zero ? cooldown : nil
    }

    func begin(for duration: Duration) {
        let new = ContinuousClock.now + min(duration, Delivery.maximumWait)
        lock.locked { end = max(end, new) }
    }
}
