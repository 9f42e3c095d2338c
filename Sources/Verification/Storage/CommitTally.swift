/// Counts works and the groups that they were committed in.
package final class CommitTally: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts = (jobs: 0, groups: 0)

    package var jobs: Int { lock.locked { counts.jobs } }
    package var groups: Int { lock.locked { counts.groups } }

    func add(_ jobs: Int) {
        lock.locked { counts = (counts.jobs + jobs, counts.groups + 1) }
    }
}
