import Dispatch

/// A place in a work where its thread stops until the test lets it go on.
struct StopPoint: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let mayGoOn = DispatchSemaphore(value: 0)

    /// Blocks: for a work, which runs on a thread of the store.
    func stop() {
        arrivals.continuation.yield()
        mayGoOn.wait()
    }

    func isReached() async {
        for await _ in arrivals.stream { return }
    }

    func letGo() { mayGoOn.signal() }
}
