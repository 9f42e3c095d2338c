import Glibc

/// Jobs and calls of other threads for a loop, in order.
///
/// `@unchecked`: the mutex guards everything. The thread sanitizer cannot follow
/// `Synchronization.Mutex`.
final class Inbox: @unchecked Sendable {
    enum Item {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var items: [Item] = []

    init() {
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Returns true if it was empty, so that the loop must be woken.
    func put(_ item: Item) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        items.append(item)
        return items.count == 1
    }

    /// Takes everything; `spare` is an empty array with capacity.
    func take(_ spare: inout [Item]) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        swap(&items, &spare)
    }
}
