import Glibc

/// A thread outside of Swift's cooperative pool, where a call may block.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread that nobody joins: what waits for its end, `run` must tell.
    static func start(_ run: @escaping @Sendable () -> Void) throws(StoreFailure) {
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
        pthread_detach(thread)
    }

    /// Does something that blocks on a thread of its own.
    static func run<Outcome: Sendable>(
        _ body: @escaping @Sendable () throws(StoreFailure) -> Outcome
    ) async throws(StoreFailure) -> Outcome {
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { continuation in
            do throws(StoreFailure) {
                try start { continuation.resume(returning: Result(catching: body)) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
