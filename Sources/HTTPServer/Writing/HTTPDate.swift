import Glibc

/// The value of `Date` (RFC 9110, section 5.6.7), in seconds.
struct HTTPDate {
    let text: String

    init(secondsSince1970 seconds: Int) {
        var (seconds, parts) = (time_t(seconds), tm())
        gmtime_r(&seconds, &parts)
        let day = Self.days[Int(parts.tm_wday)]
        let month = Self.months[Int(parts.tm_mon)]
        let date = "\(Self.twoDigits(parts.tm_mday)) \(month) \(1900 + parts.tm_year)"
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits)
        text = "\(day), \(date) \(time.joined(separator: ":")) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: CInt) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
