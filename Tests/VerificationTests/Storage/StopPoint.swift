import Dispatch

/// A point in a job where the thread stops until the test resumes it.
struct StopPoint: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let resumption = DispatchSemaphore(value: 0)

    /// Blocks the thread; call it only in a job, which runs on a thread of the store.
    func stop() {
        arrivals.continuation.yield()
        resumption.wait()
    }

    func waitUntilReached() async {
        for await _ in arrivals.stream { return }
    }

    func resume() { resumption.signal() }
}
