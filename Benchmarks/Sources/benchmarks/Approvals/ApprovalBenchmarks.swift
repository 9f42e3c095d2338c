extension Benchmark {
    /// The device's own cost of an approval, from the request for pending transactions to the
    /// verdict, compared with the promised limit.
    ///
    /// All approvals are by consent. An approval by PIN costs the same plus Argon2id.
    static var approvals: [Benchmark] {
        let device = Lazy()
        func benchmark(
            _ name: String,
            in unit: String,
            atMost maximum: Double,
            pairCount: Int,
            _ circumstance: ApprovingDevice.Circumstance = .plain,
            _ cost: @escaping (ApprovingDevice.Cost) -> Double
        ) -> Benchmark {
            Benchmark(
                name: "device.approval.\(name)-vs-limit",
                unit: unit,
                target: .atMost(1),
                statistic: .quietPairs,
                pairCount: pairCount,
                ours: {
                    let device = try await device.value()
                    let approval = try await device.approve(circumstance)
                    return Sample(cost: cost(approval), result: [])
                },
                reference: { Sample(cost: maximum, result: []) }
            )
        }
        return [
            benchmark("cpu", in: "ms", atMost: 3, pairCount: 65) { $0.processorTime / 1e6 },
            benchmark("waits", in: "fsync", atMost: 2, pairCount: 5) { $0.waits },
            benchmark("waits.reference", in: "fsync", atMost: 4, pairCount: 5, .named) {
                $0.waits
            },
            benchmark("waits.out-of-step", in: "fsync", atMost: 4, pairCount: 5, .outOfStep) {
                $0.waits
            },
        ]
    }

    private final class Lazy {
        private var device: ApprovingDevice?

        func value() async throws -> ApprovingDevice {
            if let device { return device }
            let new = try await ApprovingDevice()
            device = new
            return new
        }
    }
}
