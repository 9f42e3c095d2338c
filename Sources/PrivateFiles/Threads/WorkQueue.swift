/// Elements that wait for threads, in first-in, first-out order.
///
/// `@unchecked`: `lock` guards all variables.
package final class WorkQueue<Element: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var waiting: [Element] = []
    private var isOpen = true
    private var threads: [Thread] = []
    private var servingCount = 0
    private var closers: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// The last thread may run this itself, so threads that were not joined are detached.
    deinit {
        for thread in threads { thread.detach() }
    }

    /// Returns false if the queue is closed.
    package func append(_ element: Element) -> Bool {
        let isOpen = lock.locked {
            if self.isOpen { waiting.append(element) }
            return self.isOpen
        }
        if isOpen { lock.signalChange() }
        return isOpen
    }

    /// Starts a thread that takes up to `limit` elements at a time, until the queue is closed and
    /// empty.
    ///
    /// An exclusive element is taken alone.
    package func startThread(
        takingUpTo limit: Int,
        isExclusive: @escaping @Sendable (Element) -> Bool = { _ in false },
        serve: @escaping @Sendable ([Element]) -> Void,
        end: @escaping @Sendable () -> Void
    ) throws(ThreadUnavailable) {
        lock.locked { servingCount += 1 }
        do throws(ThreadUnavailable) {
            let thread = try Thread { [self] in
                while let elements = take(upTo: limit, isExclusive) { serve(elements) }
                end()
                endServing()
            }
            lock.locked { threads.append(thread) }
        } catch {
            endServing()
            throw error
        }
    }

    /// Rejects new elements; waiting elements are still served.
    package func refuse() {
        lock.locked { isOpen = false }
        lock.broadcastChange()
    }

    /// Rejects new elements; returns when all elements are served and the threads have ended.
    package func close() async {
        refuse()
        await withCheckedContinuation { continuation in
            let isServed = lock.locked {
                if servingCount > 0 { closers.append(continuation) }
                return servingCount == 0
            }
            if isServed { continuation.resume() }
        }
        join()
    }

    /// Blocks until the threads of a closed queue have ended.
    package func join() {
        let ending = lock.locked {
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.join() }
    }

    private func endServing() {
        let ready = lock.locked {
            servingCount -= 1
            defer { if servingCount == 0 { closers = [] } }
            return servingCount == 0 ? closers : []
        }
        for closer in ready { closer.resume() }
    }

    private func take(upTo limit: Int, _ isExclusive: (Element) -> Bool) -> [Element]? {
        lock.locked {
            while waiting.isEmpty, isOpen { lock.waitForChange() }
            guard !waiting.isEmpty else { return nil }
            let together = waiting.prefix(limit).prefix { !isExclusive($0) }
            let elements = together.isEmpty ? [waiting[0]] : Array(together)
            waiting.removeFirst(elements.count)
            return elements
        }
    }
}
