import PrivateFiles

/// Jobs and calls of other threads for a loop, in order.
///
/// `@unchecked`: the lock guards everything.
final class Inbox: @unchecked Sendable {
    enum Item {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private let lock = Lock()
    private var items: [Item] = []

    /// Returns true if it was empty, so that the loop must be woken.
    func put(_ item: Item) -> Bool {
        lock.locked {
            items.append(item)
            return items.count == 1
        }
    }

    /// Takes everything; `spare` is an empty array with capacity.
    func take(_ spare: inout [Item]) {
        lock.locked { swap(&items, &spare) }
    }
}
