import AuthenticationHandler
import CommandLineTool
import Glibc

extension PendingTransaction {
    /// The time until its deadline: `95 s`, `3 h`.
    var timeLeft: String { text(ofTimeLeft: remainingTime) }
}

/// The time left, in which a second that has begun counts: `95 s`, `3 h`.
func text(ofTimeLeft time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    return text(ofSeconds: Int(seconds) + (attoseconds > 0 ? 1 : 0))
}

/// The time since a moment of the verifier's clock, less exact than the time left.
func passedTime(since moment: Timestamp) -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let passed = max(0, now.tv_sec - Int(moment.milliseconds / 1000))
    return passed < 60 ? "\(passed) s" : text(ofMinutes: passed / 60)
}

private func text(ofSeconds count: Int) -> String {
    count < 600 ? "\(count) s" : text(ofMinutes: count / 60)
}

private func text(ofMinutes count: Int) -> String {
    count < 600 ? "\(count) min" : "\(count / 60) h"
}
