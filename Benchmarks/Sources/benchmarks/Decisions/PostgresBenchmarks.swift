import Glibc

extension Benchmark {
    /// Decisions with durable commits on PostgreSQL, compared with pgbench and the same statements.
    ///
    /// `Benchmarks/with-postgres` sets `BENCHMARK_POSTGRES` to the server's address.
    static func postgresDecisions(_ scale: Scale) -> [Benchmark] {
        [1, 2, 4].map { nodes in
            let stores = PostgresStores(
                server: getenv("BENCHMARK_POSTGRES").map { String(cString: $0) },
                nodeCount: nodes,
                accountCount: scale(10_000, smallest: 300),
                deciderCount: scale(1024, smallest: 256)
            )
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

/// Three equal databases.
///
/// Verifiers decide on the first. The statements of a verifier on the second are recorded, and
/// pgbench runs them on the third.
private final class PostgresStores {
    private struct Stores {
        let ours: DecisionStore
        let recorded: DecisionStore
        let replica: DecisionStore
    }

    private static let callersPerNode = 64

    private let server: String?
    private let nodeCount: Int
    private let accountCount: Int
    private let deciderCount: Int
    private var opened: Stores?
    private var groupSize = 32

    init(server: String?, nodeCount: Int, accountCount: Int, deciderCount: Int) {
        self.server = server
        self.nodeCount = nodeCount
        self.accountCount = accountCount
        self.deciderCount = deciderCount
    }

    func ours() async throws -> Benchmark.Sample {
        let store = try await stores().ours
        let round = try await store.newRound()
        let callers = Self.callersPerNode * nodeCount
        let (sample, groupSize) = try await store.decide(round.decisions, callers: callers)
        self.groupSize = groupSize
        return sample
    }

    /// Uses the verifiers' group size in the last sample.
    func reference() async throws -> Benchmark.Sample {
        let stores = try await stores()
        let round = try await stores.recorded.newRound()
        try await stores.replica.add(round)
        let jobs = try await stores.recorded.record(round.decisions, callers: Self.callersPerNode)
        let replay = PgbenchReplay(
            address: try address(of: "replica"),
            folder: stores.replica.folder.path,
            clients: nodeCount,
            groupSize: min(groupSize, deciderCount / nodeCount)
        )
        let decisions = try RecordedDecisions(reading: jobs.reading, writing: jobs.writing)
        return Benchmark.Sample(cost: try replay.cost(of: decisions), result: [])
    }

    private func stores() async throws -> Stores {
        if let opened { return opened }
        let recorded = try await newStore("recorded", nodeCount: 1)
        let new = Stores(
            ours: try await newStore("ours", nodeCount: nodeCount),
            recorded: recorded,
            replica: try await newStore("replica", nodeCount: 1, as: recorded)
        )
        opened = new
        return new
    }

    private func newStore(
        _ name: String,
        nodeCount: Int,
        as other: DecisionStore? = nil
    ) async throws -> DecisionStore {
        let statement = "CREATE DATABASE \(database(name))"
        try Program.run("psql", ["-X", "-q", "-d", try address(), "-c", statement])
        return try await DecisionStore(
            on: .server(try address(of: name), nodeCount: nodeCount),
            accountCount: accountCount,
            deciderCount: deciderCount,
            as: other
        )
    }

    private func database(_ name: String) -> String { "\(name)_\(nodeCount)" }

    private func address(of name: String) throws -> String {
        try address() + " dbname=\(database(name))"
    }

    private func address() throws -> String {
        guard let server else { throw BenchmarkFailure("BENCHMARK_POSTGRES is not set") }
        return server
    }
}
