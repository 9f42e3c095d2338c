import PrivateFiles
import Storage

/// The committed records that this process knows, and the records that the journal must still
/// write.
final class CommittedHead: Sendable {
    private let lock = Lock()
    // Only used while `lock` is held.
    /// The last record that the store must have; of this process, or of another one of this node.
    private nonisolated(unsafe) var head: AuditHead
    /// The last committed one, and whether the file of the last head has it.
    private nonisolated(unsafe) var last: (checkpoint: Checkpoint, isKept: Bool)?
    private nonisolated(unsafe) var owed: UInt64 = 0
    private nonisolated(unsafe) var followed: UInt64 = 0
    private nonisolated(unsafe) var begun: UInt64 = 0
    private nonisolated(unsafe) var isStopped = false
    private nonisolated(unsafe) var doubtCount = 0
    private nonisolated(unsafe) var resolvedDoubtCount = 0

    init(after head: AuditHead) {
        self.head = head
    }

    /// The head that every transaction must find in the trail.
    ///
    /// After one transaction did not find it, all fail: the store was replaced, and the other store
    /// may grow beyond this head.
    func known() throws(StoreFailure) -> AuditHead {
        let known: AuditHead? = lock.locked { isStopped ? nil : head }
        guard let known else { throw .rolledBack }
        return known
    }

    func stop() {
        lock.locked { isStopped = true }
    }

    /// Fails if the store has another record in the place of the last one: the store was replaced.
    func commit(_ events: CommittedEvents) throws(StoreFailure) {
        let isFork = lock.locked {
            owed = max(owed, events.owed)
            guard let new = events.checkpoint else { return false }
            if new.head.sequence > head.sequence {
                head = new.head
                last = (new, false)
            }
            return new.head.sequence == head.sequence && new.head != head
        }
        if isFork { throw .rolledBack }
    }

    /// The head to keep before results are returned; nil if it is kept.
    var unkept: Checkpoint? {
        lock.locked { last.flatMap { $0.isKept ? nil : $0.checkpoint } }
    }

    /// Notes that the file has this head, or a later one that another process wrote.
    ///
    /// The next transaction must find the later one, too: if it does not, the store was replaced.
    func keep(_ checkpoint: Checkpoint, in kept: Checkpoint) {
        lock.locked {
            if last?.checkpoint == checkpoint { last?.isKept = true }
            if kept.epoch == checkpoint.epoch, kept.head.sequence > head.sequence {
                head = kept.head
            }
        }
    }

    /// A transaction with an unknown result may be committed.
    func doubt() {
        lock.locked { doubtCount += 1 }
    }

    /// The number of such transactions, while the journal may lack one of them; otherwise nil.
    var unresolvedDoubt: Int? {
        lock.locked { doubtCount > resolvedDoubtCount ? doubtCount : nil }
    }

    /// The journal has the records of the first `count` such transactions.
    func resolveDoubt(upTo count: Int) {
        lock.locked { resolvedDoubtCount = max(resolvedDoubtCount, count) }
    }

    func follow(upTo sequence: UInt64) {
        lock.locked { followed = max(followed, sequence) }
    }

    /// The last record that the journal must write before results are returned; nil if there is none.
    var debt: UInt64? { lock.locked { owed > followed ? owed : nil } }

    /// Returns the head once for every `recordsBetween` records, for a checkpoint in the background.
    func beginCheckpoint() -> UInt64? {
        lock.locked {
            guard head.sequence >= max(followed, begun) + Journal.recordsBetween else { return nil }
            begun = head.sequence
            return begun
        }
    }
}

/// The records that one transaction added to the audit trail.
struct CommittedEvents: Sendable {
    var checkpoint: Checkpoint?
    var kinds: [Event.Kind] = []
    /// The last record that the journal must contain.
    var owed: UInt64 = 0
}
