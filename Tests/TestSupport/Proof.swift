import Foundation

/// How much a test repeats: a sample in `make test`, everything in `make prove`.
package enum Proof {
    package static let isComplete = ProcessInfo.processInfo.environment["PROVE"] == "all"

    /// All steps up to `last`, or one of `count` that follow each other, beginning at random.
    package static func steps(
        from first: Int = 0,
        to last: Int,
        oneOf count: Int
    ) -> StrideThrough<Int> {
        isComplete
            ? stride(from: first, through: last, by: 1)
            : stride(from: first + .random(in: 0..<count), through: last, by: count)
    }
}
