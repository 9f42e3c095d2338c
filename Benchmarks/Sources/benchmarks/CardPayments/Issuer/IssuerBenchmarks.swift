/// Challenges at an ACS: the responses over TLS, its memory, and the size of a challenge.
extension Benchmark {
    static func issuer(_ scale: Scale) -> [Benchmark] {
        let issuer = MeasuredIssuer(count: scale(512, smallest: 64))
        let challengeCount = scale(10_000, smallest: 64)
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
            Benchmark(
                name: "threeds.acs.live-challenge-vs-limit",
                unit: "KB",
                target: .atMost(1),
                statistic: .medians,
                pairCount: 1,
                ours: {
                    let verifier = try await issuer.verifier()
                    let size = try await sizeOfChallenge(challengeCount, verifier)
                    return Sample(cost: size / 1000, result: [])
                },
                reference: { Sample(cost: 8, result: []) }
            ),
        ]
    }

    /// The growth of memory and store for a challenge that waits for its person, in bytes.
    private static func sizeOfChallenge(
        _ count: Int,
        _ verifier: StandInVerifier
    ) async throws -> Double {
        // The first ones grow what all others share: connections, threads and caches.
        let firstCount = Load.connectionCount * 4
        let issuer = try RunningIssuer(purchaseCount: firstCount + count, asking: verifier)
        _ = try await issuer.begin(firstCount)
        let before = try issuer.size
        _ = try await issuer.begin(count)
        return (try issuer.size - before) / Double(count)
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
