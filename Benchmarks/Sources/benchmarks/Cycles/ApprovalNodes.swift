import Glibc

/// Verifiers on one store, each in its own process, and the devices of its accounts.
///
/// `@unchecked`: one task at a time uses it.
final class ApprovalNodes: @unchecked Sendable {
    /// The cost of one approval, in microseconds.
    struct Cost {
        let elapsed: Double
        /// The processor time of all verifiers.
        let verifiers: Double
        let client: Double
        /// The processor time of PostgreSQL's processes; 0 with SQLite.
        let server: Double
        /// The part of it that PostgreSQL's connections take.
        let connections: Double
    }

    /// Of decisions, in microseconds.
    struct Latency {
        let median: Double
        /// 99 of 100 decisions are faster.
        let late: Double
    }

    private let first: VerifierFolder
    private let nodes: [RunningServer]
    private let quotas: [ProcessorQuota]
    private let ports: [Int]
    private let token: String
    private let database: PostgresProcesses?
    /// The resident memory of the first verifier before the first approval, in bytes.
    let idleMemory: Double
    /// The number of approvals of each account.
    private var counters: [UInt64]
    private var count = 0

    /// Starts verifiers on a SQLite store, or on a PostgreSQL database.
    ///
    /// With `share`, each verifier gets at most this part of one core.
    init(
        deviceCount: Int,
        database address: String? = nil,
        nodeCount: Int = 1,
        share: Double? = nil
    ) async throws {
        first = try VerifierFolder(isSecured: true, database: address)
        try await first.addDevices(deviceCount)
        counters = [UInt64](repeating: 0, count: deviceCount)
        let created = try first.countersignd(
            "token",
            "create",
            "load",
            "issuer",
            "--enterprise",
            "bank"
        )
        guard let token = created.split(whereSeparator: \.isWhitespace).last else {
            throw BenchmarkFailure("no token: \(created)")
        }
        self.token = String(token)
        var folders = [first]
        for _ in 1..<nodeCount { folders.append(try VerifierFolder(nextTo: first)) }
        let nodes = try folders.map { try RunningServer($0) }
        self.nodes = nodes
        ports = folders.map(\.port)
        database = address.map { PostgresProcesses(address: $0) }
        idleMemory = try ResidentMemory(of: nodes[0].process).all
        quotas =
            try share.map { share in
                try nodes.map { try ProcessorQuota(of: $0.process, share: share) }
            } ?? []
    }

    /// Makes `count` approvals, each on another account.
    func approve(_ count: Int) async throws -> Cost {
        let (verifiers, client) = (try processorTime, benchmarks.processorTime())
        let server = try database?.processorTime ?? 0
        let connections = try database?.timeOfConnections ?? 0
        let load = try await load(count)
        func each(_ nanoseconds: Double) -> Double { nanoseconds / 1000 / Double(count) }
        return Cost(
            elapsed: load.timePerExchange,
            verifiers: each(try processorTime - verifiers),
            client: each(benchmarks.processorTime() - client),
            server: each((try database?.processorTime ?? 0) - server),
            connections: each((try database?.timeOfConnections ?? 0) - connections)
        )
    }

    /// The time of one of `count` approvals, in microseconds.
    func elapsed(_ count: Int, connections: Int) async throws -> Double {
        try await load(count, connections: connections).timePerExchange
    }

    /// Makes `count` approvals, and counts who waits for locks meanwhile.
    func lockWaits(in count: Int) async throws -> LockWaits {
        guard let database else { throw BenchmarkFailure("SQLite has no connections") }
        let address = database.address
        // About as long as the approvals of two verifiers with a quarter of a core each.
        async let waits = LockWaits.counted(count / 3, on: address)
        _ = try await load(count)
        return try await waits
    }

    /// Makes `count` approvals at this rate.
    func latency(of count: Int, perSecond rate: Double) async throws -> Latency {
        let load = try await load(count, perSecond: rate)
        let step = ApprovalDialogue.Step.decision.rawValue
        return Latency(
            median: load.latency(quantile: 0.5, step: step),
            late: load.latency(quantile: 0.99, step: step)
        )
    }

    /// The resident memory of the first verifier, in bytes.
    var memory: Double { get throws { try ResidentMemory(of: nodes[0].process).all } }

    private func load(
        _ count: Int,
        connections: Int = Load.connectionCount,
        perSecond rate: Double? = nil
    ) async throws -> Load {
        let accounts = (0..<count).map { (self.count + $0) % counters.count }
        let requests = accounts.enumerated().map { index, account in
            ApprovalDialogue.bankRequest(for: account, number: self.count + index, token: token)
        }
        let dialogue = try ApprovalDialogue(
            of: accounts.map { .init(account: $0, counter: counters[$0]) },
            with: first
        )
        for account in accounts { counters[account] += 1 }
        self.count += count
        return try await Load(
            of: requests,
            continuedBy: dialogue,
            to: ports,
            connections: connections,
            perSecond: rate
        )
    }

    private var processorTime: Double {
        get throws { try nodes.reduce(0) { try $0 + benchmarks.processorTime(of: $1.process) } }
    }
}
