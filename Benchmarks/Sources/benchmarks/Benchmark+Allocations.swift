import CReference

extension Benchmark {
    /// Counts the objects that an operation allocates on Swift's heap.
    ///
    /// The reference allocates exactly one object, which proves that the counter works.
    static func allocations(
        _ name: String,
        ours: @escaping (Int) throws -> [UInt8]
    ) -> Benchmark {
        func sample(_ work: (Int) throws -> [UInt8]) throws -> Sample {
            Sample(cost: try allocationsPerOperation(of: work), result: [])
        }
        return Benchmark(
            name: name,
            unit: "objects",
            target: Target.none,
            statistic: .minima,
            pairCount: 3,
            ours: { try sample(ours) },
            reference: {
                let one = try sample(allocate)
                guard one.cost == 1 else {
                    throw BenchmarkFailure("one allocation was counted as \(one.cost)")
                }
                return one
            }
        )
    }
}

/// The difference between two runs, so that the start and the end of the work do not count.
private func allocationsPerOperation(of work: (Int) throws -> [UInt8]) throws -> Double {
    let count = 1000
    return Double(try allocations(of: work, 2 * count) - allocations(of: work, count))
        / Double(count)
}

private func allocations(of work: (Int) throws -> [UInt8], _ count: Int) throws -> Int {
    guard reference_start_counting_allocations() else {
        throw BenchmarkFailure("this Swift runtime has no hook that counts allocations")
    }
    let result = Result { try work(count) }
    let allocations = reference_stop_counting_allocations()
    _ = try result.get()
    return allocations
}

private final class Object {}

private func allocate(_ count: Int) -> [UInt8] {
    for _ in 0..<count { keep(Object()) }
    return []
}

/// Prevents the optimiser from removing the unused object.
@inline(never)
@_optimize(none)
private func keep(_ object: Object) {}
