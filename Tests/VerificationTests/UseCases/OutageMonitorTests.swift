import PrivateFiles
import Sealing
import Storage
import Testing
import Verification

@Suite struct `The monitor of outages` {
    private let monitor = OutageMonitor()
    private let start = ContinuousClock.now

    /// The changes that `body` causes.
    private func changes(_ body: () -> Void) -> [OutageMonitor.Change] {
        let changes = LockedValue<[OutageMonitor.Change]>([])
        monitor.addObserver { change in changes.withLock { $0.append(change) } }
        body()
        return changes.withLock { $0 }
    }

    @Test func `reports the first failure, and the first success after ten quiet seconds`() {
        let found = changes {
            monitor.noteSuccess(at: start)
            monitor.note(.store(.full), at: start)
            monitor.note(.store(.unavailable), at: start + .seconds(1))
            // A small change succeeds while the disk is nearly full.
            monitor.noteSuccess(at: start + .seconds(2))
            monitor.note(.journal(.file(.full)), at: start + .seconds(3))
            monitor.noteSuccess(at: start + .seconds(12))
            #expect(monitor.isOutage)
            monitor.noteSuccess(at: start + .seconds(13))
            monitor.noteSuccess(at: start + .seconds(14))
            #expect(!monitor.isOutage)
        }
        #expect(
            found == [
                .began(.store(.full)), .continues(.store(.unavailable)),
                .continues(.journal(.file(.full))), .ended(after: .seconds(13)),
            ]
        )
    }

    @Test func `reports each cause of an outage once, and at most eight`() {
        let causes = (1...20).map { number in
            Verifier.Failure.store(StoreFailure(.unavailable, .connection("host \(number)")))
        }
        let found = changes { for cause in causes + causes { monitor.note(cause) } }
        let expected =
            [OutageMonitor.Change.began(causes[0])] + causes[1..<8].map { .continues($0) }
        // Failures of one kind are equal.
        #expect(found.map { "\($0)" } == expected.map { "\($0)" })
    }

    /// After a commit, or when a session with the server begins.
    @Test(arguments: [
        Verifier.Failure.store(.rolledBack), .store(.foreign), .store(.newer(version: 99)),
        .store(StoreFailure(.misuse, .sqlState("23514"))),
    ])
    func `reports a store that was replaced or changed`(_ failure: Verifier.Failure) {
        #expect(changes { monitor.note(failure) } == [.began(failure)])
    }

    @Test(arguments: [
        Verifier.Failure.store(.conflict), .sealedRecord(.keyMissing(version: 1)),
    ])
    func `ignores failures of one change`(_ failure: Verifier.Failure) {
        #expect(changes { monitor.note(failure) } == [])
        #expect(!monitor.isOutage)
    }
}
