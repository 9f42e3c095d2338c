package import TransactionApproval

/// What a restore did, and what is left for an operator to see to.
package struct Restoration: Equatable, Sendable {
    /// Higher than any that a code was made in before.
    package let epoch: Epoch
    /// Where the backup ended.
    package let backup: AuditHead
    /// The last that the journal had seen; nil where there was none.
    package let lost: Checkpoint?
    package var voidedTransactions = 0
    package var closedActivations = 0
    /// Records of the journal that the store had forgotten and follows again.
    package var replayed = 0
    /// Those that it cannot follow: devices that it does not know, policies to set once more.
    package var unreplayed: [AuditRecord] = []
}
