import CReference
import FoundationEssentials

extension ApprovalServer {
    /// The sum of the times of an approval's necessary parts, in microseconds.
    ///
    /// Each part runs alone on the whole machine, as often in parallel as in an approval.
    func timeOfParts() async throws -> Double {
        let (decisions, requests) = try await newRound()
        let decided = try await store.decide(decisions, callers: Load.connectionCount).cost.cost
        // This includes the client's own work, as in an approval.
        let carried = try await Load(of: requests, to: [fixedResponsePort]).timePerExchange
        // The signature of the request, and that of the decision, which is stored as evidence.
        let verified = 2 * (try await timeOfEach(reference_ecdsa_verify))
        let signed = try await timeOfEach(reference_ecdsa_sign)
        return decided + carried + verified + signed
    }

    private func timeOfEach(
        _ work: @escaping @Sendable (Int, UnsafeMutablePointer<UInt8>) -> CInt
    ) async throws -> Double {
        @Sendable func run(_ count: Int) throws {
            var last = [UInt8](repeating: 0, count: Int(REFERENCE_LONGEST_RESULT))
            guard work(count, &last) == 1, last[0] == 1 else {
                throw BenchmarkFailure("OpenSSL's ECDSA failed")
            }
        }
        // The first call creates the keys.
        try run(1)
        let (count, cores) = (500, ProcessInfo.processInfo.activeProcessorCount)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<cores { group.addTask { try run(count) } }
            try await group.waitForAll()
        }
        return Benchmark.Sample(since: start, for: count * cores).cost
    }
}
