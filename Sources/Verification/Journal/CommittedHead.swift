/// What this process was told is committed, and how much of it the journal still owes.
final class CommittedHead: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var head = AuditHead.empty
    private nonisolated(unsafe) var owed: UInt64 = 0
    private nonisolated(unsafe) var followed: UInt64 = 0
    private nonisolated(unsafe) var begun: UInt64 = 0
    private nonisolated(unsafe) var isStopped = false
    private nonisolated(unsafe) var isInDoubt = false

    /// What every transaction from now on must find, or something after it.
    ///
    /// Once one did not, all are refused: the store that came in its place may grow beyond it.
    func known() throws(StoreFailure) -> AuditHead {
        let known: AuditHead? = lock.locked { isStopped ? nil : head }
        guard let known else { throw .rolledBack }
        return known
    }

    func stop() {
        lock.locked { isStopped = true }
    }

    func commit(_ events: CommittedEvents) {
        lock.locked {
            if let new = events.head, new.sequence > head.sequence { head = new }
            owed = max(owed, events.owed)
        }
    }

    /// Something may be committed of which nobody here knows what it was.
    func doubt() {
        lock.locked { isInDoubt = true }
    }

    /// Whether there was a doubt until now.
    func endDoubt() -> Bool {
        lock.locked {
            defer { isInDoubt = false }
            return isInDoubt
        }
    }

    func follow(upTo sequence: UInt64) {
        lock.locked { followed = max(followed, sequence) }
    }

    /// Up to where nobody may be told of anything before the journal has it; nil where it has it.
    var debt: UInt64? { lock.locked { owed > followed ? owed : nil } }

    /// The head, once for every `recordsBetween` records, for a checkpoint that nobody waits for.
    func beginCheckpoint() -> UInt64? {
        lock.locked {
            guard head.sequence >= max(followed, begun) + Journal.recordsBetween else { return nil }
            begun = head.sequence
            return begun
        }
    }
}

/// What one transaction put on the audit trail.
struct CommittedEvents: Sendable {
    var head: AuditHead?
    /// In the order of their records.
    var kinds: [Event.Kind] = []
    /// The last record that the journal must have.
    var owed: UInt64 = 0
}
