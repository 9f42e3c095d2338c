import Glibc

/// Works that wait for threads, first come, first served.
///
/// `@unchecked`: the mutex guards everything. `Synchronization.Mutex` has nothing to wait on.
final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [any PendingJob] = []
    private var isOpen = true
    private var threads: [Thread] = []
    private var servingCount = 0
    private var closers: [CheckedContinuation<Void, Never>] = []

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    /// Comes with the last thread's end, and may be on it: those whom nobody joined are let go.
    deinit {
        for thread in threads { thread.letGo() }
        pthread_cond_destroy(change)
        pthread_mutex_destroy(mutex)
        change.deallocate()
        mutex.deallocate()
    }

    func append(_ job: any PendingJob) {
        let isTaken = withLock {
            if isOpen { waiting.append(job) }
            return isOpen
        }
        guard isTaken else { return job.tell(.unavailable) }
        pthread_cond_signal(change)
    }

    /// Starts a thread that takes up to `limit` works at a time until the line is closed and empty.
    func startThread(
        takingUpTo limit: Int,
        serve: @escaping @Sendable ([any PendingJob]) -> Void,
        end: @escaping @Sendable () -> Void
    ) throws(StoreFailure) {
        withLock { servingCount += 1 }
        do throws(StoreFailure) {
            let thread = try Thread { [self] in
                while let jobs = take(upTo: limit) { serve(jobs) }
                end()
                endServing()
            }
            withLock { threads.append(thread) }
        } catch {
            endServing()
            throw error
        }
    }

    /// Lets nobody in any more; those that wait are still served.
    func refuse() {
        withLock { isOpen = false }
        pthread_cond_broadcast(change)
    }

    /// Returns when all that waited were served and the threads have ended.
    func close() async {
        refuse()
        await withCheckedContinuation { continuation in
            let isServed = withLock {
                if servingCount > 0 { closers.append(continuation) }
                return servingCount == 0
            }
            if isServed { continuation.resume() }
        }
        join()
    }

    /// Blocks until the threads of a line that refuses have ended.
    func join() {
        let ending = withLock {
            defer { threads = [] }
            return threads
        }
        for thread in ending { thread.join() }
    }

    private func endServing() {
        let ready = withLock {
            servingCount -= 1
            defer { if servingCount == 0 { closers = [] } }
            return servingCount == 0 ? closers : []
        }
        for closer in ready { closer.resume() }
    }

    private func take(upTo limit: Int) -> [any PendingJob]? {
        withLock {
            while waiting.isEmpty, isOpen { pthread_cond_wait(change, mutex) }
            guard !waiting.isEmpty else { return nil }
            let jobs = Array(waiting.prefix(limit))
            waiting.removeFirst(jobs.count)
            return jobs
        }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
