import PrivateFiles

/// Counts the jobs that were committed, and the groups in which they were committed.
package final class CommitTally: Sendable {
    private let lock = Lock()
    // Only used while `lock` is held.
    private nonisolated(unsafe) var counts = (jobs: 0, groups: 0)

    package var jobs: Int { lock.locked { counts.jobs } }
    package var groups: Int { lock.locked { counts.groups } }

    func add(_ jobs: Int) {
        lock.locked { counts = (counts.jobs + jobs, counts.groups + 1) }
    }
}
