import Synchronization

/// The signals that a command handles itself, from the moment it reads them.
final class CommandSignals: Sendable {
    private let (signals, continuation) = AsyncStream<Int32>.makeStream()
    private let started = Atomic(false)

    var hasStarted: Bool { started.load(ordering: .acquiring) }

    func start() -> AsyncStream<Int32> {
        started.store(true, ordering: .releasing)
        return signals
    }

    func send(_ signal: Int32) { continuation.yield(signal) }
}
