import Foundation
import PrivateFiles
package import TransactionApproval
package import Verification

/// A clock that a test moves.
package final class TestClock: Sendable {
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var moment = Timestamp.earliest + .seconds(1_800_000_000)

    package var now: Timestamp { lock.withLock { moment } }

    package func advance(by distance: Duration) {
        lock.withLock { moment = moment + distance }
    }

    package var verifierClock: VerifierClock { VerifierClock { self.now } }
}
