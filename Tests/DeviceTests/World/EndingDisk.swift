import Foundation

@testable import AuthenticationHandler

/// Takes a number of steps of writing and none after them, as if the process were killed there.
final class EndingDisk: Sendable {
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var left: Int

    init(after count: Int) {
        left = count
    }

    var hasCome: Bool { lock.withLock { left < 0 } }

    var witness: @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void {
        { [self] _ throws(FileFailure) in
            let isOver = lock.withLock {
                left -= 1
                return left < 0
            }
            if isOver { throw .system(EINTR) }
        }
    }
}
