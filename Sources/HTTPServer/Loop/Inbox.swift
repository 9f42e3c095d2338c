import Glibc

/// What other threads have a loop do, in their order.
///
/// `@unchecked`: the mutex guards all of it. `Synchronization.Mutex` does the same, but the thread
/// sanitizer cannot follow it.
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

    /// Whether it was empty before, so that somebody must be told.
    func put(_ item: Item) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        items.append(item)
        return items.count == 1
    }

    /// Takes everything out; `spare` is an empty array that has room.
    func take(_ spare: inout [Item]) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        swap(&items, &spare)
    }
}
