/// Challenges at an ACS: the responses over TLS, its memory, and the size of a challenge.
extension Benchmark {
    static func issuer(_ scale: Scale) -> [Benchmark] {
        let issuer = MeasuredIssuer(count: scale(512, smallest: 64))
        let challenges = LiveChallenges(count: scale(10_000, smallest: 64), issuer)
        func live(
            _ part: String,
            _ size: @escaping (LiveChallenges.Size) -> Double
        ) -> Benchmark {
            Benchmark(
                name: "threeds.acs.live-challenge.\(part)-vs-limit",
                unit: "KB",
                target: .atMost(1),
                statistic: .medians,
                pairCount: 1,
                ours: {
                    Sample(cost: size(try await challenges.size()) / 1000, result: [])
                },
                reference: { Sample(cost: 8, result: []) }
            )
        }
        return [
            Benchmark(
                name: "threeds.areq.tls-vs-parts",
                unit: "µs",
                target: .atMost(1.6),
                statistic: .medians,
                pairCount: MeasuredIssuer.pairCount,
                ours: { Sample(cost: try await issuer.timePerRequest(), result: []) },
                reference: { Sample(cost: try await issuer.partsOfRequest(), result: []) }
            ),
            Benchmark(
                name: "threeds.creq.tls-vs-parts",
                unit: "µs",
                target: .atMost(1.5),
                statistic: .medians,
                pairCount: MeasuredIssuer.pairCount,
                ours: { Sample(cost: try await issuer.timePerChallengeRequest(), result: []) },
                reference: { Sample(cost: try await issuer.partsOfChallengeRequest(), result: []) }
            ),
            Benchmark(
                name: "threeds.acs.idle-vs-limit",
                unit: "MB",
                target: .atMost(1),
                statistic: .medians,
                pairCount: 3,
                ours: {
                    let verifier = try await issuer.verifier()
                    let idle = try RunningIssuer(purchaseCount: 1, asking: verifier)
                    let memory = try ResidentMemory(of: idle.server.process)
                    return Sample(cost: memory.all / 1e6, result: [])
                },
                reference: { Sample(cost: 30, result: []) }
            ),
            live("memory", { $0.memory }),
            live("store", { $0.store }),
        ]
    }
}

/// Challenges that wait for their persons.
private final class LiveChallenges {
    /// Of one challenge, in bytes.
    struct Size {
        let memory: Double
        let store: Double
    }

    private let count: Int
    private let issuer: MeasuredIssuer
    private var measured: Size?

    init(count: Int, _ issuer: MeasuredIssuer) {
        (self.count, self.issuer) = (count, issuer)
    }

    /// The growth of the process and of its store.
    func size() async throws -> Size {
        if let measured { return measured }
        // The first ones grow what all others share: connections, threads and the start of caches.
        let firstCount = Load.connectionCount * 4
        let running = try RunningIssuer(
            purchaseCount: firstCount + count,
            asking: try await issuer.verifier()
        )
        _ = try await running.begin(firstCount)
        let before = try (running.memory, running.storeSize)
        _ = try await running.begin(count)
        let after = try (running.memory, running.storeSize)
        let size = Size(
            memory: (after.0 - before.0) / Double(count),
            store: (after.1 - before.1) / Double(count)
        )
        measured = size
        return size
    }
}

/// An ACS, and the parts of its work.
private final class MeasuredIssuer {
    static let pairCount = 7

    /// Of a sample.
    private let count: Int
    private var startedVerifier: StandInVerifier?
    private var started: (issuer: RunningIssuer, parts: IssuerParts)?
    private var purchases: [AppPurchase] = []

    init(count: Int) {
        self.count = count
    }

    func verifier() async throws -> StandInVerifier {
        if let startedVerifier { return startedVerifier }
        let verifier = try await StandInVerifier()
        startedVerifier = verifier
        return verifier
    }

    func timePerRequest() async throws -> Double {
        try await both().issuer.timePerRequest(count)
    }

    func partsOfRequest() async throws -> Double {
        try await both().parts.timePerRequest(count)
    }

    func timePerChallengeRequest() async throws -> Double {
        let issuer = try await both().issuer
        if purchases.isEmpty { purchases = try await issuer.begin(count) }
        return try await issuer.timePerChallengeRequest(purchases)
    }

    func partsOfChallengeRequest() async throws -> Double {
        try await both().parts.timePerChallengeRequest(count)
    }

    private func both() async throws -> (issuer: RunningIssuer, parts: IssuerParts) {
        if let started { return started }
        let verifier = try await verifier()
        // Each sample and the warming one need new cards, and so do the challenges and the sample.
        let purchaseCount = count * (Self.pairCount + 2) + 1
        let issuer = try RunningIssuer(purchaseCount: purchaseCount, asking: verifier)
        let parts = try await IssuerParts(
            issuer.sample(),
            showing: issuer.certificate,
            asking: verifier,
            IssuerStorage(purchaseCount: purchaseCount, asking: verifier)
        )
        started = (issuer, parts)
        return (issuer, parts)
    }
}
