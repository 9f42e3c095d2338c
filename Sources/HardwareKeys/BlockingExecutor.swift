import PrivateFiles

/// One thread on which requests wait for calls of an HSM.
///
/// It exists until the process ends, like the library that the calls need.
final class BlockingExecutor: TaskExecutor {
    private let queue = WorkQueue<UnownedJob>()

    init() throws(ThreadUnavailable) {
        try queue.startThread(takingUpTo: 1) { [self] jobs in
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        } end: {
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        // The queue is never closed, so it accepts every job.
        _ = queue.append(UnownedJob(job))
    }
}
