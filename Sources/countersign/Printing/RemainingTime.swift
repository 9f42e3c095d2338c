import AuthenticationHandler
import CommandLineTool
import Glibc

extension PendingTransaction {
    /// The time until its deadline: `95 s`, `3 h`.
    var remainingTime: String {
        countersign.remainingTime(until: deadline, clockOffset: clockOffset)
    }
}

/// The time until a moment of the verifier's clock: `95 s`, `3 h`.
///
/// `clockOffset`: the verifier's clock minus the clock of this machine.
func remainingTime(until moment: Timestamp, clockOffset: Duration) -> String {
    let offset = Int(clockOffset.components.seconds)
    return text(ofSeconds: seconds(of: moment) - offset - currentSeconds())
}

/// The time since a moment of the verifier's clock, less exact than the time left.
func passedTime(since moment: Timestamp) -> String {
    let passed = max(0, currentSeconds() - seconds(of: moment))
    return passed < 60 ? "\(passed) s" : text(ofMinutes: passed / 60)
}

private func seconds(of moment: Timestamp) -> Int { Int(moment.milliseconds / 1000) }

private func currentSeconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec
}

private func text(ofSeconds count: Int) -> String {
    switch max(0, count) {
    case let seconds where seconds < 600: "\(seconds) s"
    case let seconds: text(ofMinutes: seconds / 60)
    }
}

private func text(ofMinutes count: Int) -> String {
    count < 600 ? "\(count) min" : "\(count / 60) h"
}
