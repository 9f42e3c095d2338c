package import Transactions

/// The time by which old rows are removed: it passes only while the process runs.
///
/// The clock of a machine can be far ahead, at its start or later. By that time, all rows would be
/// too old, and removed rows do not come back when the clock is right. So this time begins at most
/// `maximumPause` after the newest authentication. After a longer pause, old rows stay until the next
/// start that follows a new authentication.
package struct RetentionClock: Sendable {
    /// As of a verifier, which does not start after a longer pause.
    package static let maximumPause = Duration.seconds(86_400)

    /// The time of the newest authentication, if the clock is too far ahead of it.
    package let lastBeforePause: Timestamp?
    private let clock: IssuerService.Clock
    private let begin: Timestamp
    private let uptime: @Sendable () -> Duration

    /// The default of `uptime` also counts while the machine sleeps.
    init(
        _ clock: @escaping IssuerService.Clock,
        after newest: Timestamp?,
        uptime: (@Sendable () -> Duration)? = nil
    ) {
        let start = ContinuousClock.now
        self.uptime = uptime ?? { ContinuousClock.now - start }
        self.clock = clock
        let now = clock()
        guard let newest else {
            (begin, lastBeforePause) = (now, nil)
            return
        }
        let latest = newest + Self.maximumPause
        // A clock that is behind can be set during the run.
        begin = max(newest, min(now, latest))
        lastBeforePause = latest < now ? newest : nil
    }

    package var now: Timestamp { min(clock(), begin + uptime()) }
}
