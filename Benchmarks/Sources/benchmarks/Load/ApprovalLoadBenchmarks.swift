extension Benchmark {
    /// Approvals that 64 devices send over TLS concurrently, from the signed request to the signed
    /// response.
    ///
    /// The clients are one more thread, which shares the cores with the verifier.
    static func approvalLoad(_ scale: Scale) -> [Benchmark] {
        let load = ApprovalLoad(
            accountCount: scale(10_000, smallest: 200),
            deviceCount: scale(4096, smallest: 64)
        )
        return [
            Benchmark(
                name: "device.approvals.tls-vs-parts",
                unit: "µs",
                target: .atMost(1 / 0.6),
                statistic: .medians,
                pairCount: 7,
                ours: { Sample(cost: try await load.timePerApproval(), result: []) },
                reference: { Sample(cost: try await load.server().timeOfParts(), result: []) }
            ),
            Benchmark(
                name: "device.approvals.p99-vs-p50",
                unit: "µs",
                target: .atMost(8),
                statistic: .medians,
                pairCount: 5,
                ours: { Sample(cost: try await load.latency(quantile: 0.99), result: []) },
                reference: { Sample(cost: try await load.latency(quantile: 0.5), result: []) }
            ),
        ]
    }
}

private final class ApprovalLoad {
    /// The rate of the latency measurement, as a fraction of the maximum throughput.
    private static let latencyLoad = 0.7

    private let accountCount: Int
    private let deviceCount: Int
    private var started: ApprovalServer?
    private var times: [Double] = []

    init(accountCount: Int, deviceCount: Int) {
        self.accountCount = accountCount
        self.deviceCount = deviceCount
    }

    func server() async throws -> ApprovalServer {
        if let started { return started }
        let server = try await ApprovalServer(accountCount: accountCount, deviceCount: deviceCount)
        started = server
        return server
    }

    func timePerApproval() async throws -> Double {
        let server = try await server()
        let round = try await server.newRound()
        let time = try await Load(of: round.requests, to: [server.port]).timePerExchange
        times.append(time)
        return time
    }

    /// The latency at 70 % of the maximum throughput.
    func latency(quantile: Double) async throws -> Double {
        while times.count < 3 { _ = try await timePerApproval() }
        let peak = 1e6 / times.sorted()[times.count / 2]
        let server = try await server()
        let round = try await server.newRound()
        return try await Load(
            of: round.requests,
            to: [server.port],
            perSecond: peak * Self.latencyLoad
        ).latency(quantile: quantile)
    }
}
