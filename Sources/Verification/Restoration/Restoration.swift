package import TransactionApproval

/// The result of a restore, with the changes that an operator must repeat.
package struct Restoration: Equatable, Sendable {
    /// Higher than the epoch of any earlier code.
    package let epoch: Epoch
    /// The head of the backup.
    package let backup: AuditHead
    /// The last checkpoint of the journal; nil if the journal was lost.
    package let lost: Checkpoint?
    package var voidedTransactions = 0
    package var closedActivations = 0
    /// The number of journal records that were repeated.
    package var replayed = 0
    /// Records that cannot be repeated: of unknown devices, or new policies.
    package var unreplayed: [AuditRecord] = []
}
