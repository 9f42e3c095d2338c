/// Counts works and the groups that they were committed in.
package final class CommitTally: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts = (works: 0, groups: 0)

    package var works: Int { lock.locked { counts.works } }
    package var groups: Int { lock.locked { counts.groups } }

    func add(_ works: Int) {
        lock.locked { counts = (counts.works + works, counts.groups + 1) }
    }
}
