import Foundation

/// A number of steps after which none is taken any more, as in a process that is killed there.
package final class StepLimit: Sendable {
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var left: Int

    package init(_ count: Int) {
        left = count
    }

    /// Whether a step was asked for that was not taken.
    package var isPassed: Bool { lock.withLock { left < 0 } }

    /// False where no step is left.
    package func takeStep() -> Bool {
        lock.withLock {
            left -= 1
            return left >= 0
        }
    }
}
