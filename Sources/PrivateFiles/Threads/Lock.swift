package import Glibc

/// A mutex for state that threads share.
///
/// Hold it briefly, never across a wait.
/// `Synchronization.Mutex` does the same, but the thread sanitizer does not understand it.
/// `@unchecked`: pthread guarantees it.
package final class Lock: @unchecked Sendable {
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(mutex)
        change.deallocate()
        mutex.deallocate()
    }

    /// Inlinable: a specialized copy costs no more than the two calls of pthread.
    @inlinable
    package func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Called while the lock is held: releases it until another thread signals a change.
    func waitForChange() {
        pthread_cond_wait(change, mutex)
    }

    /// Wakes one thread that waits.
    func signalChange() {
        pthread_cond_signal(change)
    }

    /// Wakes all threads that wait.
    func broadcastChange() {
        pthread_cond_broadcast(change)
    }
}
