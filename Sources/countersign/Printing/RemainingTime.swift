import AuthenticationHandler
import CommandLineTool
import Glibc

/// The time until a moment of the verifier's clock, by the clock of this machine: `95 s`, `3 h`.
func remainingTime(until moment: Timestamp) -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let seconds = max(0, Int(moment.milliseconds / 1000) - now.tv_sec)
    return switch seconds {
    case ..<600: "\(seconds) s"
    case ..<36_000: "\(seconds / 60) min"
    default: "\(seconds / 3600) h"
    }
}
