extension Benchmark {
    /// Decisions with durable commits, compared with a loop in C that runs the same statements.
    static func decisions(_ scale: Scale) -> [Benchmark] {
        [1, 16, 64, 256].map { callers in
            let stores = SQLiteStores(
                accountCount: scale(10_000, smallest: 300),
                deciderCount: scale(callers == 1 ? 256 : 2048, smallest: max(8, callers)),
                callers: callers
            )
            return Benchmark(
                name: "verifier.decision.sqlite.\(callers)-callers-vs-c",
                unit: "µs",
                target: callers == 64 ? .atMost(1 / 0.6) : nil,
                statistic: .quietPairs,
                // The others have no target.
                pairCount: callers == 64 ? 25 : 9,
                ours: { try await stores.ours() },
                reference: { try await stores.reference() }
            )
        }
    }
}

/// Three equal stores.
///
/// A verifier decides on the first. The statements of a verifier on the second are recorded, and
/// the loop in C runs them on the third.
private final class SQLiteStores {
    private struct Stores {
        let ours: DecisionStore
        let recorded: DecisionStore
        let replica: DecisionStore
    }

    private let accountCount: Int
    private let deciderCount: Int
    private let callers: Int
    private var opened: Stores?
    private var groupSize = 1

    init(accountCount: Int, deciderCount: Int, callers: Int) {
        self.accountCount = accountCount
        self.deciderCount = deciderCount
        self.callers = callers
    }

    func ours() async throws -> Benchmark.Sample {
        let store = try await stores().ours
        let round = try await store.newRound()
        let (sample, groupSize) = try await store.decide(round.decisions, callers: callers)
        self.groupSize = groupSize
        return sample
    }

    /// Uses the verifier's group size in the last sample.
    func reference() async throws -> Benchmark.Sample {
        let stores = try await stores()
        let round = try await stores.recorded.newRound()
        try await stores.replica.add(round)
        let jobs = try await stores.recorded.record(round.decisions, callers: callers)
        let replay = CReplay(of: jobs)
        let duration = try replay.run(on: stores.replica.path, groupSize: groupSize)
        return Benchmark.Sample(of: duration, for: round.decisions.count)
    }

    private func stores() async throws -> Stores {
        if let opened { return opened }
        func store(as other: DecisionStore? = nil) async throws -> DecisionStore {
            try await DecisionStore(
                accountCount: accountCount,
                deciderCount: deciderCount,
                as: other
            )
        }
        let recorded = try await store()
        let new = Stores(
            ours: try await store(),
            recorded: recorded,
            replica: try await store(as: recorded)
        )
        opened = new
        return new
    }
}
