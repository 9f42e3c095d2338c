import PrivateFiles

/// A pause in sending to one receiver, after a timeout or a Retry-After.
///
/// Otherwise a receiver that does not respond could hold its delivery slots until each attempt
/// times out.
package final class Cooldown: Sendable {
    package static let afterSilence = Duration.seconds(10)
    /// A receiver cannot demand a longer pause.
    package static let maximumWait = Duration.seconds(60 * 60)

    /// The duration of a slow refusal counts as silence.
    static func afterRefusal(taking time: Duration) -> Duration {
        time < .seconds(1) ? .zero : time
    }

    private let end: LockedValue<ContinuousClock.Instant>
    private let clock: @Sendable () -> ContinuousClock.Instant

    package init(clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.clock = clock
        end = LockedValue(clock())
    }

    /// Nil if there is no cooldown.
    package var remaining: Duration? {
        let cooldown = end.withLock { $0 } - clock()
        return cooldown > .zero ? cooldown : nil
    }

    package func begin(for duration: Duration) {
        let new = clock() + min(duration, Self.maximumWait)
        end.withLock { $0 = max($0, new) }
    }
}
