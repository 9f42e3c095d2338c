import Verification

/// Whether somebody is to be left alone for a while: they asked for that, or did not answer.
///
/// Whoever keeps a sender waiting until its time is up would otherwise take the room of all others.
final class Cooldown: Sendable {
    static let afterSilence = Duration.seconds(10)

    /// As long as it took, which is silence too where it is long.
    static func afterRefusal(taking time: Duration) -> Duration {
        time < .seconds(1) ? .zero : time
    }

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var end = ContinuousClock.now

    /// Nil where there is none.
    var remaining: Duration? {
        let cooldown = lock.locked { end } - .now
        return cooldown > .zero ? cooldown : nil
    }

    func begin(for duration: Duration) {
        let new = ContinuousClock.now + min(duration, Delivery.longestWait)
        lock.locked { end = max(end, new) }
    }
}
