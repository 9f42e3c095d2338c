import BankIntegration
import ServerOperation
import TransactionApproval
import Verification
import VerifierServer

extension Timestamp {
    /// The time of this machine's clock.
    static var now: Timestamp { VerifierClock.system(notBefore: .earliest).now }

    /// To the second: `2026-11-22 11:45:03 UTC`.
    var text: String {
        let time = rfc3339.split(separator: "T")[1].prefix { $0 != "." }
        return "\(day) \(time) UTC"
    }

    /// `2026-11-22`.
    var day: String { String(rfc3339.prefix { $0 != "T" }) }
}

extension DateTime {
    /// To the second, as a `Timestamp`.
    var text: String { moment.text }
}

/// A duration rounded for people: `95 s`, `12 min`, `3 h`, `20 days`.
func roughly(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
}
