import Glibc
package import TransactionApproval

extension Timestamp {
    /// In the form of RFC 3339, in UTC with milliseconds: `2026-11-22T11:45:03.250Z`.
    package var rfc3339: String {
        var (seconds, parts) = (time_t(milliseconds / 1000), tm())
        gmtime_r(&seconds, &parts)
        let (year, month) = (1900 + Int(parts.tm_year), twoDigits(1 + parts.tm_mon))
        let (day, hour) = (twoDigits(parts.tm_mday), twoDigits(parts.tm_hour))
        let (minute, second) = (twoDigits(parts.tm_min), twoDigits(parts.tm_sec))
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(year)-\(month)-\(day)T\(hour):\(minute):\(second).\(fraction)Z"
    }

    /// Nil unless the text is exactly as `rfc3339` writes it.
    package init?(rfc3339 text: String) {
        let numbers = text.split { "-T:.Z".contains($0) }.compactMap { UInt16($0) }
        guard numbers.count == 7 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon) = (CInt(numbers[0]) - 1900, CInt(numbers[1]) - 1)
        (parts.tm_mday, parts.tm_hour) = (CInt(numbers[2]), CInt(numbers[3]))
        (parts.tm_min, parts.tm_sec) = (CInt(numbers[4]), CInt(numbers[5]))
        guard
            let seconds = UInt64(exactly: timegm(&parts)),
            let moment = Timestamp(milliseconds: seconds * 1000 + UInt64(numbers[6])),
            // The numbers can have other separators, or name a day that does not exist.
            moment.rfc3339 == text
        else { return nil }
        self = moment
    }
}

private func twoDigits(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
