import Glibc
import TransactionApproval

extension Timestamp {
    /// To the second: `2026-11-22 11:45:03 UTC`.
    var text: String { "\(day) \(time) UTC" }

    /// `2026-11-22`.
    var day: String {
        let parts = parts
        return [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
            .map(twoDigits).joined(separator: "-")
    }

    private var time: String {
        let parts = parts
        return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { twoDigits(Int($0)) }
            .joined(separator: ":")
    }

    private var parts: tm {
        var (seconds, parts) = (time_t(milliseconds / 1000), tm())
        gmtime_r(&seconds, &parts)
        return parts
    }
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

/// A time of which a person need not know the rest: `95 s`, `12 min`, `3 h`, `20 days`.
func roughly(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
}
