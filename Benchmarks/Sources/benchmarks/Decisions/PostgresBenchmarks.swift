import Glibc

extension Benchmark {
    /// Decisions with durable commits on PostgreSQL, against pgbench with the same statements.
    static var postgresDecisions: [Benchmark] {
        // `Benchmarks/with-postgres` tells where the server is.
        guard let address = getenv("BENCHMARK_POSTGRES").map({ String(cString: $0) }) else {
            return []
        }
        return [1, 2, 4].map { nodes in
            let stores = PostgresPair(server: address, nodeCount: nodes)
            return Benchmark(
                name: "verifier.decision.postgres.\(nodes)-connections-vs-pgbench",
                unit: "µs",
                target: .atMost(1 / 0.8),
                statistic: .quietPairs,
                pairCount: 5,
                ours: { try await stores.ours() },
                reference: { try await stores.reference() }
            )
        }
    }
}

/// Two databases that are alike: one that verifiers decide on, one for pgbench.
private final class PostgresPair {
    private static let callersPerNode = 64

    private let server: String
    private let nodeCount: Int
    private var stores: (ours: DecisionStore, reference: DecisionStore)?
    private var groupSize = 32
    private var counter = 0

    init(server: String, nodeCount: Int) {
        self.server = server
        self.nodeCount = nodeCount
    }

    func ours() async throws -> Benchmark.Sample {
        let store = try await both().ours
        let decisions = try await store.newRound()
        let callers = Self.callersPerNode * nodeCount
        let (sample, groupSize) = try await store.decide(decisions, callers: callers)
        self.groupSize = groupSize
        return sample
    }

    /// The same groups as the verifiers made the last time.
    func reference() async throws -> Benchmark.Sample {
        let store = try await both().reference
        let decisions = try await store.newRound()
        counter += 1
        let run = PgbenchRun(
            address: address(of: "pgbench"),
            folder: store.folder.path,
            clients: nodeCount,
            groupSize: groupSize
        )
        return Benchmark.Sample(cost: try run.cost(of: decisions, counter: counter), result: [])
    }

    private func both() async throws -> (ours: DecisionStore, reference: DecisionStore) {
        if let stores { return stores }
        let made = (
            ours: try await newStore("verifier", nodeCount: nodeCount),
            reference: try await newStore("pgbench", nodeCount: 1)
        )
        stores = made
        return made
    }

    private func newStore(_ name: String, nodeCount: Int) async throws -> DecisionStore {
        try Program.ofPostgres(
            "psql",
            ["-X", "-q", "-d", server, "-c", "CREATE DATABASE \(database(name))"]
        )
        return try await DecisionStore(
            on: .server(address(of: name), nodeCount: nodeCount),
            accountCount: 10_000,
            deciderCount: 1024
        )
    }

    private func database(_ name: String) -> String { "\(name)_\(nodeCount)" }

    private func address(of name: String) -> String { server + " dbname=\(database(name))" }
}
