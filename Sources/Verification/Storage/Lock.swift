import Glibc

/// A mutex for state that several threads share, which is held for a moment and never across a wait.
///
/// `Synchronization.Mutex` does the same, but the thread sanitizer cannot follow it.
/// `@unchecked`: pthread's own promise.
package final class Lock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() {
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
