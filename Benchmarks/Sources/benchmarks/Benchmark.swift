/// The same work, done by the product and by the reference, measured in turns.
struct Benchmark {
    /// Takes one sample.
    typealias Measurement = () async throws -> Sample

    struct Sample {
        /// The cost of the work, in the benchmark's unit.
        let cost: Double
        /// The result of the work: both sides must have the same one.
        let result: [UInt8]
    }

    struct Pair {
        let ours: Double
        let reference: Double
    }

    /// The limit for the costs.
    enum Target {
        /// Our cost is at most this multiple of the reference's cost.
        case atMost(Double)
        /// The reference's cost is at least this multiple of our cost.
        case timesFaster(Double)
        /// Our cost is zero.
        case none
    }

    /// How the ratio is computed.
    enum Statistic {
        /// The median of the ratios of the fifth of all pairs that took the shortest time.
        ///
        /// Other load on the machine slows both sides of a pair, or increases the pair's sum.
        case quietPairs
        /// The median of each side, for work that keeps all cores busy.
        case medians
        /// The minimum of each side, for work so long that nearly every sample is disturbed.
        case minima
    }

    /// Starts with its group: `otp.`, `crypto.`.
    let name: String
    let unit: String
    let target: Target?
    let statistic: Statistic
    let pairCount: Int
    let ours: Measurement
    let reference: Measurement
}

extension Benchmark {
    func run(_ scale: Scale) async throws -> Outcome {
        let pairCount = scale(pairCount)
        // The first pair only warms the caches.
        if scale == .full { _ = try await (ours(), reference()) }
        var pairs: [Pair] = []
        for index in 0..<pairCount {
            pairs.append(try await pair(startingWithOurs: index.isMultiple(of: 2)))
        }
        return Outcome(of: self, pairs: pairs)
    }

    /// The sides alternate in starting, so that the order has no effect.
    private func pair(startingWithOurs: Bool) async throws -> Pair {
        let first = try await startingWithOurs ? ours() : reference()
        let second = try await startingWithOurs ? reference() : ours()
        guard first.result == second.result else {
            throw BenchmarkFailure("the results differ: \(first.result) and \(second.result)")
        }
        return startingWithOurs
            ? Pair(ours: first.cost, reference: second.cost)
            : Pair(ours: second.cost, reference: first.cost)
    }
}
