import CReference
import Glibc

extension Benchmark {
    /// Whole approvals: the bank requests one, and a device fetches the transaction and approves it.
    ///
    /// 64 connections over TLS stay open. The verifiers are processes of their own. The client is
    /// one thread of this process; its processor time is measured apart.
    static func cycles(_ scale: Scale) -> [Benchmark] {
        let devices = scale(VerifierFolder.deviceCount, smallest: 256)
        let (one, two) = (
            MeasuredNodes.postgres(1, devices, count: scale(1024, smallest: 64)),
            MeasuredNodes.postgres(2, devices, count: scale(1024, smallest: 64))
        )
        // A quarter of a core for each verifier, so that PostgreSQL and the client are not the limit.
        let (limitedOne, limitedTwo) = (
            MeasuredNodes.postgres(1, devices, count: scale(512, smallest: 64), share: 0.25),
            MeasuredNodes.postgres(2, devices, count: scale(512, smallest: 64), share: 0.25)
        )
        let separate = SeparateStores(count: scale(2048, smallest: 64)) { number in
            try await startNodes(devices, on: "cycle_separate_\(number)", share: nil)
        }
        let limitedSeparate = SeparateStores(count: scale(1024, smallest: 64)) { number in
            try await startNodes(devices, on: "cycle_limited_\(number)", share: 0.25)
        }
        let sqlite = MeasuredNodes(count: scale(2048, smallest: 64)) {
            try await ApprovalNodes(deviceCount: devices)
        }
        let storage = ApprovalStorage(devices, count: scale(2048, smallest: 64), on: .sqlite)
        let sets = ApprovalStorage(
            devices,
            count: scale(1024, smallest: 64),
            on: .postgres(server: try postgresServer())
        )
        return cycle("sqlite", sqlite, cryptographyRatio: 2.5, latencyRatio: 4) + [
            cycle("sqlite.cpu-vs-storage") {
                try await sqlite.cost($0).verifiers
            } reference: { _ in
                try await storage.cost()
            }
        ]
            + cycle("postgres.1-node", one, cryptographyRatio: 4, usesServer: true) + [
                cycle("postgres.1-node.connections-cpu-vs-sets") {
                    try await one.cost($0).connections
                } reference: { _ in
                    try await sets.cost()
                }
            ]
            + cycle("postgres.2-nodes", two, cryptographyRatio: 4, usesServer: true) + [
                cycle("postgres.2-nodes-vs-1-node") {
                    try await two.cost($0).elapsed
                } reference: {
                    try await one.cost($0).elapsed
                },
                cycle("postgres.2-limited-nodes-vs-1", .timesFaster(1.6)) {
                    try await limitedTwo.cost($0).elapsed
                } reference: {
                    try await limitedOne.cost($0).elapsed
                },
                // A lock between nodes costs at most this.
                cycle("postgres.2-nodes-vs-separate-stores", .atMost(1.1)) {
                    try await two.cost($0).elapsed
                } reference: { _ in
                    try await separate.elapsed()
                },
                cycle("postgres.2-limited-nodes-vs-separate-stores", .atMost(1.1)) {
                    try await limitedTwo.cost($0).elapsed
                } reference: { _ in
                    try await limitedSeparate.elapsed()
                },
                cycle("postgres.2-limited-nodes.lock-waits-vs-active", unit: "connections") {
                    try await limitedTwo.lockWaits($0).waiting
                } reference: {
                    try await limitedTwo.lockWaits($0).active
                },
                cycle("postgres.2-nodes.lock-waits-vs-active", unit: "connections") {
                    try await two.lockWaits($0).waiting
                } reference: {
                    try await two.lockWaits($0).active
                },
            ]
    }

    private static func cycle(
        _ name: String,
        _ nodes: MeasuredNodes,
        cryptographyRatio: Double,
        latencyRatio: Double? = nil,
        usesServer: Bool = false
    ) -> [Benchmark] {
        let rows = [
            cycle("\(name).cpu-vs-cryptography", .atMost(cryptographyRatio)) {
                try await nodes.cost($0).verifiers
            } reference: { _ in
                try cryptographyOfApproval()
            },
            cycle("\(name).elapsed-vs-client-cpu") {
                try await nodes.cost($0).elapsed
            } reference: {
                try await nodes.cost($0).client
            },
            cycle("\(name).decision.p99-vs-p50", latencyRatio.map { .atMost($0) }) {
                try await nodes.latency($0).late
            } reference: {
                try await nodes.latency($0).median
            },
            cycle("\(name).memory-vs-idle", unit: "MB") { _ in
                try await nodes.started().memory / 1e6
            } reference: { _ in
                try await nodes.started().idleMemory / 1e6
            },
        ]
        guard usesServer else { return rows }
        return rows + [
            cycle("\(name).server-cpu-vs-verifier-cpu") {
                try await nodes.cost($0).server
            } reference: {
                try await nodes.cost($0).verifiers
            }
        ]
    }

    /// `ours` and `reference` get the number of the sample.
    private static func cycle(
        _ name: String,
        _ target: Target? = nil,
        unit: String = "µs",
        ours: @escaping (Int) async throws -> Double,
        reference: @escaping (Int) async throws -> Double
    ) -> Benchmark {
        let (ourCount, referenceCount) = (Counter(), Counter())
        return Benchmark(
            name: "cycle.\(name)",
            unit: unit,
            target: target,
            statistic: .medians,
            pairCount: 5,
            ours: { Sample(cost: try await ours(ourCount.next()), result: []) },
            reference: { Sample(cost: try await reference(referenceCount.next()), result: []) }
        )
    }

    /// The processor time of the verifier's signatures in an approval, in microseconds.
    ///
    /// It verifies two requests and the decision, and signs two responses.
    private static func cryptographyOfApproval() throws -> Double {
        let repetitions = 100
        var last = [UInt8](repeating: 0, count: Int(REFERENCE_LONGEST_RESULT))
        let start = processorTime()
        guard
            reference_ecdsa_verify(3 * repetitions, &last) == 1, last[0] == 1,
            reference_ecdsa_sign(2 * repetitions, &last) == 1, last[0] == 1
        else { throw BenchmarkFailure("OpenSSL's ECDSA failed") }
        return (processorTime() - start) / 1000 / Double(repetitions)
    }
}

private final class Counter {
    private var count = 0

    func next() -> Int {
        defer { count += 1 }
        return count
    }
}

/// Verifiers with their costs: several rows of the report show the same samples.
private final class MeasuredNodes {
    private let count: Int
    private let start: () async throws -> ApprovalNodes
    private var nodes: ApprovalNodes?
    private var costs: [ApprovalNodes.Cost] = []
    private var latencies: [ApprovalNodes.Latency] = []
    private var waits: [LockWaits] = []

    /// Each sample has `count` approvals.
    init(count: Int, start: @escaping () async throws -> ApprovalNodes) {
        self.count = count
        self.start = start
    }

    /// On a new database of the server that `Benchmarks/with-postgres` has started.
    static func postgres(
        _ nodeCount: Int,
        _ deviceCount: Int,
        count: Int,
        share: Double? = nil
    ) -> MeasuredNodes {
        MeasuredNodes(count: count) {
            let name = "cycle_\(nodeCount)" + (share == nil ? "" : "_limited")
            return try await startNodes(deviceCount, on: name, nodeCount, share: share)
        }
    }

    func started() async throws -> ApprovalNodes {
        if let nodes { return nodes }
        let new = try await start()
        nodes = new
        return new
    }

    func cost(_ sample: Int) async throws -> ApprovalNodes.Cost {
        while costs.count <= sample { costs.append(try await started().approve(count)) }
        return costs[sample]
    }

    func lockWaits(_ sample: Int) async throws -> LockWaits {
        while waits.count <= sample { waits.append(try await started().lockWaits(in: count)) }
        return waits[sample]
    }

    /// At 70 % of the highest rate.
    func latency(_ sample: Int) async throws -> ApprovalNodes.Latency {
        let time = try await cost(2).elapsed
        while latencies.count <= sample {
            latencies.append(try await started().latency(of: count, perSecond: 0.7e6 / time))
        }
        return latencies[sample]
    }
}

/// Two verifiers whose databases have only their server in common.
private final class SeparateStores {
    private let count: Int
    private let start: (Int) async throws -> ApprovalNodes
    private var stores: [ApprovalNodes] = []

    /// Each sample has `count` approvals; `start` gets the number of the store.
    init(count: Int, start: @escaping (Int) async throws -> ApprovalNodes) {
        self.count = count
        self.start = start
    }

    /// The time of one approval while both work, in microseconds.
    func elapsed() async throws -> Double {
        while stores.count < 2 { stores.append(try await start(stores.count)) }
        let (half, connections) = (count / 2, Load.connectionCount / 2)
        let (one, other) = (stores[0], stores[1])
        async let first = one.elapsed(half, connections: connections)
        let second = try await other.elapsed(half, connections: connections)
        return try await 1 / (1 / first + 1 / second)
    }
}

/// Verifiers on a new database of the server that `Benchmarks/with-postgres` has started.
private func startNodes(
    _ deviceCount: Int,
    on database: String,
    _ nodeCount: Int = 1,
    share: Double?
) async throws -> ApprovalNodes {
    let server = try postgresServer()
    try Program.run("psql", ["-X", "-q", "-d", server, "-c", "CREATE DATABASE \(database)"])
    return try await ApprovalNodes(
        deviceCount: deviceCount,
        database: "\(server) dbname=\(database)",
        nodeCount: nodeCount,
        share: share
    )
}

/// The address of the server that `Benchmarks/with-postgres` has started.
private func postgresServer() throws -> String {
    guard let server = getenv("BENCHMARK_POSTGRES").map({ String(cString: $0) }) else {
        throw BenchmarkFailure("BENCHMARK_POSTGRES is not set")
    }
    return server
}
