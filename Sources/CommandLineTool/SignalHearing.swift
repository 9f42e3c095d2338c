import Synchronization

/// The signals of a command, from when it begins to hear them.
final class SignalHearing: Sendable {
    private let (signals, teller) = AsyncStream<Int32>.makeStream()
    private let begun = Atomic(false)

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    func begin() -> AsyncStream<Int32> {
        begun.store(true, ordering: .releasing)
        return signals
    }

    func tell(_ signal: Int32) { teller.yield(signal) }
}
