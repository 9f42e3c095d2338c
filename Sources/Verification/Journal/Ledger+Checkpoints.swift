import Storage
import TransactionApproval

extension StoreState {
    var checkpoint: Checkpoint { Checkpoint(store: id, epoch: epoch, head: audit) }
}

extension Ledger {
    /// Accepts a checkpoint from which the store continues.
    func check(_ checkpoint: Checkpoint) throws(StoreFailure) -> RuleResult<JournalFailure> {
        // Another store can have other keys.
        guard try storedNames()?.id == checkpoint.store else { return .refused(.foreign) }
        let state = try state()
        let seen = checkpoint.head.sequence
        guard state.audit.sequence >= seen else {
            return .refused(.behind(store: state.audit.sequence, journal: seen))
        }
        guard try holds(checkpoint.head), state.epoch.value >= checkpoint.epoch.value else {
            return .refused(.forked(at: seen))
        }
        return .accepted
    }

    /// Accepts the last head whose results were returned if the store continues from it.
    ///
    /// Also if a restore has discarded it: then the last line of the journal has a later epoch. A
    /// restore with the journal of another node adds no line, and does not know this head.
    func check(
        returned checkpoint: Checkpoint,
        after line: Checkpoint
    ) throws(StoreFailure) -> RuleResult<JournalFailure> {
        guard try storedNames()?.id == checkpoint.store else { return .refused(.foreign) }
        guard checkpoint.epoch.value >= line.epoch.value else { return .accepted }
        return try check(checkpoint)
    }

    /// Whether the trail ends with the store's head, without further records.
    func endsAsStated() throws(StoreFailure) -> Bool {
        let head = try state().audit
        guard try holds(head) else { return false }
        return try auditRows(after: Int64(head.sequence), limit: 1).isEmpty
    }

    /// Whether the record with this number is on the trail with this hash.
    func holds(_ head: AuditHead) throws(StoreFailure) -> Bool {
        guard head.sequence > 0 else { return head == .empty }
        return try auditHash(at: head.sequence) == head.hash
    }
}
