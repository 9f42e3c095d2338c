import Glibc

/// A thread outside of Swift's cooperative pool, where a call may block.
///
/// Whoever starts one joins it or, where he cannot wait, lets it go: it would keep its stack for ever.
/// What runs until a process ends is joined: at the end libraries free what each thread has, and one
/// that ends at that very moment would free it once more.
struct Thread: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let handle: pthread_t

    init(_ run: @escaping @Sendable () -> Void) throws(StoreFailure) {
        let body = Unmanaged.passRetained(Body(run))
        var thread: pthread_t = 0
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            body.toOpaque()
        )
        guard status == 0 else {
            body.release()
            throw .unavailable
        }
        handle = thread
    }

    /// Returns when the thread has ended; once only, and soon, as its work is done by then.
    func join() {
        pthread_join(handle, nil)
    }

    /// Has it leave nothing behind when it ends, instead of a join.
    func letGo() {
        pthread_detach(handle)
    }

    /// Does something that blocks on a thread of its own.
    static func run<Outcome: Sendable>(
        _ body: @escaping @Sendable () throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome {
        var thread: Thread?
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { continuation in
            do throws(StoreFailure) {
                thread = try Thread { continuation.resume(returning: Result(catching: body)) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        thread?.join()
        return try result.get()
    }
}
