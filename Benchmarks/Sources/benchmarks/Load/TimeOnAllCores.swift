import CReference
import FoundationEssentials

/// The time of one operation if all cores do the work, in microseconds.
func timeOnAllCores(
    count: Int,
    _ work: @escaping @Sendable (Int, UnsafeMutablePointer<UInt8>) -> CInt
) async throws -> Double {
    @Sendable func run(_ count: Int) throws {
        var last = [UInt8](repeating: 0, count: Int(REFERENCE_LONGEST_RESULT))
        guard work(count, &last) >= 0 else { throw BenchmarkFailure("the reference failed") }
    }
    // The first call creates the keys.
    try run(1)
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let start = ContinuousClock.now
    try await withThrowingTaskGroup { group in
        for _ in 0..<cores { group.addTask { try run(count) } }
        try await group.waitForAll()
    }
    return (ContinuousClock.now - start) / .microseconds(count * cores)
}
