import Foundation

/// A count of steps after which no step succeeds, as if the process were killed.
package final class StepLimit: Sendable {
    private let lock = NSLock()
    // Only accessed while `lock` is held.
    private nonisolated(unsafe) var left: Int

    package init(_ count: Int) {
        left = count
    }

    /// Whether a step was requested after the last one.
    package var isPassed: Bool { lock.withLock { left < 0 } }

    /// Returns false if no step is left.
    package func takeStep() -> Bool {
        lock.withLock {
            left -= 1
            return left >= 0
        }
    }
}
