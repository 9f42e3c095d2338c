import CReference
import Glibc

extension Benchmark {
    enum TimeUnit: String {
        case ns, ms

        var nanoseconds: Double { self == .ns ? 1 : 1e6 }
    }

    /// Measures the time of `count` operations in a row; the result is that of the last operation.
    ///
    /// The time is the processor time of all threads of this process, so other programs do not
    /// count.
    static func time(
        _ name: String,
        _ target: Target? = nil,
        count: Int,
        in unit: TimeUnit = .ns,
        statistic: Statistic = .quietPairs,
        pairCount: Int = 65,
        ours: @escaping (Int) async throws -> [UInt8],
        reference: @escaping (Int, UnsafeMutablePointer<UInt8>) -> Int32
    ) -> Benchmark {
        func sample(_ work: () async throws -> [UInt8]) async rethrows -> Sample {
            let start = processorTime()
            let result = try await work()
            let cost = processorTime() - start
            return Sample(cost: cost / Double(count) / unit.nanoseconds, result: result)
        }
        return Benchmark(
            name: name,
            unit: unit.rawValue,
            target: target,
            statistic: statistic,
            pairCount: pairCount,
            ours: { try await sample { try await ours(count) } },
            reference: { try await sample { try result { reference(count, $0) } } }
        )
    }
}

/// The bytes that work in C writes.
private func result(of work: (UnsafeMutablePointer<UInt8>) -> Int32) throws -> [UInt8] {
    var result = [UInt8](repeating: 0, count: Int(REFERENCE_LONGEST_RESULT))
    let written = work(&result)
    guard written >= 0 else { throw BenchmarkFailure("the reference failed") }
    return Array(result.prefix(Int(written)))
}

/// The processor time of all threads of this process, in nanoseconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}
