import CReference

extension Benchmark {
    /// The device's own cost of an approval, from the request for pending transactions to the
    /// verdict.
    ///
    /// It is compared with its signatures in C, and with the promised limits. All approvals are by
    /// consent. An approval by PIN costs the same plus Argon2id.
    static var approvals: [Benchmark] {
        let device = Lazy()
        func benchmark(
            _ name: String,
            in unit: String,
            atMost maximum: Double,
            target: Target? = .atMost(1),
            pairCount: Int,
            _ circumstance: ApprovingDevice.Circumstance = .plain,
            _ cost: @escaping (ApprovingDevice.Cost) -> Double
        ) -> Benchmark {
            Benchmark(
                name: "device.approval.\(name)-vs-limit",
                unit: unit,
                target: target,
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
            Benchmark(
                name: "device.approval.cpu-vs-signatures",
                unit: "ms",
                target: .atMost(9),
                statistic: .quietPairs,
                pairCount: 65,
                ours: {
                    let cost = try await device.value().approve(.plain)
                    return Sample(cost: cost.processorTime / 1e6, result: [])
                },
                reference: { Sample(cost: try signaturesOfApproval() / 1e6, result: []) }
            ),
            // Without a target: the limit is for the machine of docs/performance.md.
            benchmark("cpu", in: "ms", atMost: 3, target: nil, pairCount: 65) {
                $0.processorTime / 1e6
            },
            benchmark("waits", in: "fsync", atMost: 2, pairCount: 5) { $0.waits },
            benchmark("waits.reference", in: "fsync", atMost: 4, pairCount: 5, .named) {
                $0.waits
            },
            benchmark("waits.out-of-step", in: "fsync", atMost: 4, pairCount: 5, .outOfStep) {
                $0.waits
            },
        ]
    }

    /// The processor time of the device's signatures in an approval, in nanoseconds.
    ///
    /// It signs three requests (list, transaction, decision) and the decision itself, and verifies
    /// three responses.
    private static func signaturesOfApproval() throws -> Double {
        let repetitions = 10
        var last = [UInt8](repeating: 0, count: Int(REFERENCE_LONGEST_RESULT))
        let start = processorTime()
        guard
            reference_ecdsa_sign(4 * repetitions, &last) == 1, last[0] == 1,
            reference_ecdsa_verify(3 * repetitions, &last) == 1, last[0] == 1
        else { throw BenchmarkFailure("OpenSSL's ECDSA failed") }
        return (processorTime() - start) / Double(repetitions)
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
