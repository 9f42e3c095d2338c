import TransactionApproval

@testable import Verifier

/// Time that a test moves by hand.
final class TestClock: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var moment = Timestamp.earliest + .seconds(1_800_000_000)

    var now: Timestamp { lock.locked { moment } }

    func advance(by distance: Duration) {
        lock.locked { moment = moment + distance }
    }

    var verifierClock: VerifierClock { VerifierClock { self.now } }
}
