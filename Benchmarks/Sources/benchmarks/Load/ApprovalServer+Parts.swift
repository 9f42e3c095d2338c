import CReference
import FoundationEssentials

extension ApprovalServer {
    /// What an approval cannot do without, each by itself, with the whole machine and as many at a
    /// time: the sum of what they take, in microseconds.
    func timeOfParts() async throws -> Double {
        let (decisions, requests) = try await newRound()
        let decided = try await store.decide(decisions, callers: Load.connectionCount).cost.cost
        // The client's own work is in here as it is in an approval.
        let carried = try await Load(of: requests, to: portOfAnswer).timePerRequest
        // The request's signature, and the decision's own, which is kept as evidence.
        let verified = 2 * (try await timeOfEach(reference_ecdsa_verify))
        let signed = try await timeOfEach(reference_ecdsa_sign)
        return decided + carried + verified + signed
    }

    private func timeOfEach(
        _ work: @escaping @Sendable (Int, UnsafeMutablePointer<UInt8>) -> CInt
    ) async throws -> Double {
        @Sendable func run(_ count: Int) throws {
            var last = [UInt8](repeating: 0, count: Int(REFERENCE_LONGEST_RESULT))
            guard work(count, &last) == 1, last[0] == 1 else { throw Refused() }
        }
        // The first makes the keys of all.
        try run(1)
        let (count, cores) = (500, ProcessInfo.processInfo.activeProcessorCount)
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<cores { group.addTask { try run(count) } }
            try await group.waitForAll()
        }
        return Benchmark.Sample(since: start, for: count * cores).cost
    }

    private struct Refused: Error {}
}
