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
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A deadline must not move with the wall clock.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(change, &attributes)
        pthread_condattr_destroy(&attributes)
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

    /// The same with a deadline; returns false after it.
    package func waitForChange(before deadline: ContinuousClock.Instant) -> Bool {
        let left = max(.zero, deadline - .now).components
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += Int(left.seconds)
        end.tv_nsec += Int(left.attoseconds / 1_000_000_000)
        if end.tv_nsec >= 1_000_000_000 {
            end.tv_sec += 1
            end.tv_nsec -= 1_000_000_000
        }
        return pthread_cond_timedwait(change, mutex, &end) == 0
    }

    /// Wakes one thread that waits.
    package func signalChange() {
        pthread_cond_signal(change)
    }

    /// Wakes all threads that wait.
    func broadcastChange() {
        pthread_cond_broadcast(change)
    }
}
