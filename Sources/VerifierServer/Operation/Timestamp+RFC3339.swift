import Glibc
package import TransactionApproval

extension Timestamp {
    /// In the form of RFC 3339, in UTC with milliseconds: `2026-11-22T11:45:03.250Z`.
    package var rfc3339: String {
        var (seconds, parts) = (time_t(milliseconds / 1000), tm())
        gmtime_r(&seconds, &parts)
        let year = "\(1900 + Int(parts.tm_year))"
        let day = [year, twoDigits(1 + parts.tm_mon), twoDigits(parts.tm_mday)]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return day.joined(separator: "-") + "T" + time.joined(separator: ":") + ".\(fraction)Z"
    }
}

private func twoDigits(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
