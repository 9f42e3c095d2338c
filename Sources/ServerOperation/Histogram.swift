/// Durations, counted in buckets that Prometheus can add over all nodes.
package struct Histogram: Equatable, Sendable {
    /// The upper bounds of the buckets in seconds.
    let bounds: [Double]
    /// One more than `bounds`: the last one has no bound.
    private var counts: [UInt64]
    private(set) var sum = 0.0

    private init(bounds: [Double]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    /// From less than a decision to more than any timeout.
    package static let ofRequests = Histogram(
        bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    )
    /// From an immediate delivery to the last attempt.
    package static let ofDeliveries = Histogram(
        bounds: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800, 3600, 21_600]
    )

    package mutating func add(_ duration: Duration) {
        let seconds = duration.inSeconds
        let step = bounds.firstIndex { seconds <= $0 } ?? bounds.count
        counts[step] += 1
        sum += seconds
    }

    var count: UInt64 { counts.reduce(0, +) }

    /// For each bound, the number of durations up to it.
    var cumulated: [(bound: Double, count: UInt64)] {
        var total: UInt64 = 0
        return zip(bounds, counts).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}

extension Duration {
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
