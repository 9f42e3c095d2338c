/// A time on the verifier's clock, in milliseconds since 1970 (UTC).
public struct Timestamp: Hashable, Comparable, Sendable {
    public let milliseconds: UInt64

    /// The maximum of a store's signed integer, in the year 292,277,026.
    package static let latest = Timestamp(checked: UInt64(Int64.max))

    package static let earliest = Timestamp(checked: 0)

    package init?(milliseconds: UInt64) {
        guard milliseconds <= Self.latest.milliseconds else { return nil }
        self.milliseconds = milliseconds
    }

    private init(checked milliseconds: UInt64) {
        self.milliseconds = milliseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Stops at `latest` and at 1970 instead of overflowing.
    package static func + (moment: Timestamp, distance: Duration) -> Timestamp {
        let (sum, overflow) = Int64(moment.milliseconds)
            .addingReportingOverflow(distance.wholeMilliseconds)
        guard !overflow else { return distance < .zero ? Timestamp(checked: 0) : latest }
        return Timestamp(checked: UInt64(max(0, sum)))
    }

    package static func - (moment: Timestamp, distance: Duration) -> Timestamp {
        moment + (.zero - distance)
    }

    package func elapsed(since earlier: Timestamp) -> Duration {
        .milliseconds(Int64(milliseconds) - Int64(earlier.milliseconds))
    }
}

extension Duration {
    /// Rounded towards zero, and limited to 64 bits.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (thousands, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, runsOver) = thousands.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return runsOver ? (seconds < 0 ? .min : .max) : sum
    }
}
