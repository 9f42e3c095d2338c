import PrivateFiles

/// Counts the jobs that were committed, and the groups in which they were committed.
package final class CommitTally: Sendable {
    private let counts = LockedValue((jobs: 0, groups: 0))

    package var jobs: Int { counts.withLock { $0.jobs } }
    package var groups: Int { counts.withLock { $0.groups } }

    func add(_ jobs: Int) {
        counts.withLock { $0 = ($0.jobs + jobs, $0.groups + 1) }
    }
}
