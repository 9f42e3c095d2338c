import Glibc

/// The system cannot start a thread.
package struct ThreadUnavailable: Error, Equatable, Sendable {
    package let errorNumber: CInt
}

/// A thread outside of Swift's cooperative pool, where a call may block.
///
/// Every thread must be joined or detached: otherwise its stack is never freed. A thread that runs
/// until the process ends must be joined. Libraries free their thread data at the end of a process,
/// and a thread that ends at that moment would free it again.
package struct Thread: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private let handle: pthread_t

    package init(_ run: @escaping @Sendable () -> Void) throws(ThreadUnavailable) {
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
            throw ThreadUnavailable(errorNumber: status)
        }
        handle = thread
    }

    package var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }

    /// Waits until the thread has ended.
    ///
    /// Call it once, when the thread's work is done.
    package func join() {
        pthread_join(handle, nil)
    }

    /// Frees the thread's resources when it ends, without a join.
    package func detach() {
        pthread_detach(handle)
    }

    /// Runs a blocking call on a new thread.
    package static func run<Outcome: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Outcome
    ) async throws(ThreadUnavailable) -> Result<Outcome, Failure> {
        var thread: Thread?
        let result: Result<Result<Outcome, Failure>, ThreadUnavailable> =
            await withCheckedContinuation { continuation in
                do throws(ThreadUnavailable) {
                    thread = try Thread {
                        continuation.resume(returning: .success(Result(catching: body)))
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        thread?.join()
        return try result.get()
    }
}
