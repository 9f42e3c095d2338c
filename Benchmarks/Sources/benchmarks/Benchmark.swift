/// Two ways to do the same work, measured by turns.
struct Benchmark {
    /// Takes one sample.
    typealias Measurement = () async throws -> Sample

    struct Sample {
        /// What the work cost, in the benchmark's unit.
        let cost: Double
        /// What came of the work: the same on both sides, or nothing is compared.
        let result: [UInt8]
    }

    struct Pair {
        let ours: Double
        let reference: Double
    }

    /// What must hold of the costs.
    enum Target {
        /// Ours is at most so many times the reference's.
        case atMost(Double)
        /// The reference's is at least so many times ours.
        case timesFaster(Double)
        /// Ours is nothing at all.
        case none
    }

    /// What the ratio is taken of.
    enum Statistic {
        /// The median of the ratios of the fifth of all pairs that took the least time.
        ///
        /// What else runs on the processor's cores slows both neighbours, or shows in their sum.
        case quietPairs
        /// The median of each side, for what keeps all cores busy itself.
        case medians
        /// The least of each side, for work so long that nearly every sample is disturbed.
        case minima
    }

    /// Begins with what it belongs to: `otp.`, `crypto.`.
    let name: String
    let unit: String
    let target: Target?
    let statistic: Statistic
    let pairCount: Int
    let ours: Measurement
    let reference: Measurement
}

extension Benchmark {
    struct Disagreement: Error {
        let name: String
    }

    func run() async throws -> Outcome {
        // The first of each is for the caches.
        _ = try await (ours(), reference())
        var pairs: [Pair] = []
        for index in 0..<pairCount {
            pairs.append(try await pair(startingWithOurs: index.isMultiple(of: 2)))
        }
        return Outcome(of: self, pairs: pairs)
    }

    /// Neither side always goes first, lest the order count.
    private func pair(startingWithOurs: Bool) async throws -> Pair {
        let first = try await startingWithOurs ? ours() : reference()
        let second = try await startingWithOurs ? reference() : ours()
        guard first.result == second.result else { throw Disagreement(name: name) }
        return startingWithOurs
            ? Pair(ours: first.cost, reference: second.cost)
            : Pair(ours: second.cost, reference: first.cost)
    }
}
