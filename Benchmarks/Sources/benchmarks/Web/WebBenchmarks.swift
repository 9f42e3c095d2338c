import Cryptography
import FoundationEssentials

extension Benchmark {
    /// The device in a browser: its size, and its times in Chromium, which include the verifier's.
    static var web: [Benchmark] {
        let page = WebPage()
        func benchmark(
            _ name: String,
            in unit: String,
            atMost limit: Double,
            pairCount: Int,
            _ measure: @escaping () async throws -> Double
        ) -> Benchmark {
            Benchmark(
                name: "web.\(name)-vs-limit",
                unit: unit,
                target: .atMost(1),
                statistic: .quietPairs,
                pairCount: pairCount,
                ours: { Sample(cost: try await measure(), result: []) },
                reference: { Sample(cost: limit, result: []) }
            )
        }
        return [
            benchmark("size.compressed", in: "kB", atMost: 200, pairCount: 1) {
                try WebPage.compressedByteCount() / 1e3
            },
            benchmark("first-screen", in: "ms", atMost: 300, pairCount: 15) {
                try page.timeOfFirstScreen()
            },
            // More would reach the rate limit of the device.
            benchmark("approval.without-argon2id", in: "ms", atMost: 60, pairCount: 15) {
                try page.timeOfApproval()
            },
            Benchmark(
                name: "web.argon2id-vs-native",
                unit: "ms",
                target: .atMost(1.6),
                statistic: .minima,
                pairCount: 25,
                ours: { try page.argon2id(.constrainedMemory) },
                reference: { try await native(.constrainedMemory) }
            ),
        ]
    }

    /// The processor time of all its threads, because the page has only one thread.
    private static func native(_ cost: Argon2id.Cost) async throws -> Sample {
        let start = processorTime()
        let key = try await Argon2id.deriveKey(
            from: Material.key(0),
            salt: Material.bytes(ofKey: 1),
            cost: cost,
            byteCount: 32
        )
        let time = processorTime() - start
        return Sample(cost: time / 1e6, result: key.withBytes { $0.array })
    }
}
