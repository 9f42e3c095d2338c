import Foundation

@testable import AuthenticationHandler

/// Ends every change after a number of steps, as a process that is killed there would.
///
/// `@unchecked`: the count is touched under the lock.
final class StepCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(endingAt count: Int) {
        left = count
    }

    var hasEnded: Bool { lock.withLock { left < 0 } }

    var witness: @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void {
        { [self] _ throws(FileFailure) in
            let isOver = lock.withLock {
                left -= 1
                return left < 0
            }
            // Nothing that comes afterwards happens either.
            if isOver { throw .system(EINTR) }
        }
    }
}
