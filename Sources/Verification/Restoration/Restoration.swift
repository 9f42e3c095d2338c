package import TransactionApproval

/// The result of a restore, with the changes that an operator must repeat.
package struct Restoration: Equatable, Sendable {
    /// Higher than the epoch of any earlier code.
    package let epoch: Epoch
    /// The head of the backup.
    package let backup: AuditHead
    /// The last head that the journal or its file of the last head has; nil if the journal was lost.
    package let lost: Checkpoint?
    package var lostRecords: LostRecords
    /// Whether each row was compared with the trail of the backup.
    package let comparesRows: Bool
    package var voidedTransactions = 0
    package var closedActivations = 0
    /// The number of journal records that were repeated.
    package var replayed = 0
    /// Records that cannot be repeated: of unknown devices, forged rows, or new policies.
    package var unreplayed: [AuditRecord] = []
    /// Rows that another program wrote, and that stay forged.
    package var forged = NamedRows()

    /// Whether an operator must do something that only this result names.
    package var needsOperator: Bool { !unreplayed.isEmpty || !forged.isEmpty || !comparesRows }
}

/// The records that a backup lacks, as far as the journal shows.
package struct LostRecords: Equatable, Sendable {
    /// The record before the first lost one.
    package let previous: AuditHead
    /// When the first lost record was made; nil if the journal does not contain that record.
    package let start: Timestamp?
    /// The last lost record; nil if the journal was lost.
    package let last: AuditHead?

    package var first: UInt64 { previous.sequence + 1 }
    /// Whether the journal shows no lost record.
    package var isEmpty: Bool { last.map { $0.sequence < first } ?? false }

    /// Without a journal.
    init(after previous: AuditHead) {
        (self.previous, start, last) = (previous, nil, nil)
    }

    /// `common` is the newest head that the journal and the store both have.
    ///
    /// The store does not have the `records` of the journal. It may have made others after `common`.
    init(
        of store: AuditHead,
        since common: AuditHead,
        _ records: [AuditRecord],
        upTo last: AuditHead,
        onOtherBranch isOtherBranch: Bool
    ) {
        let isForked =
            isOtherBranch || records.contains { $0.sequence <= store.sequence }
            // Two branches can have the same epoch, but the time of a trail never goes back.
            || (last.sequence <= store.sequence ? last != common : last.moment < store.moment)
        let previous = isForked ? common : store
        self.previous = previous
        start = records.first { $0.sequence == previous.sequence + 1 }?.moment
        self.last = last
    }
}
