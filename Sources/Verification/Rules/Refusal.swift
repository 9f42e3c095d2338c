package import OneTimePassword
package import TransactionApproval

/// Why the verifier says no.
///
/// All but `wrongCode` are said without a look at the code: they cost no attempt, and whoever has
/// the device without its PIN learns nothing from them.
package enum Refusal: Equatable, Sendable {
    /// Nothing of that name belongs to this device.
    case unknownTransaction
    case transactionExpired
    case alreadyDecided(TransactionRecord.Outcome)
    /// The transaction, the enterprise or the device does not have this way of saying yes.
    case typeNotAllowed
    case deviceRevoked
    case locked(until: Timestamp)
    case blocked
    /// The bank switched the credential off.
    case credentialDisabled
    /// The verifier was restored from a backup and does not know yet how far this device has counted:
    /// one decision in the app tells it, and for a token two codes that somebody saw it make.
    case counterUnconfirmed
    /// Device and verifier are not of one generation: the device asks for its status.
    case generationMismatch
    /// The verifier was restored from a backup since the device last heard of it.
    case epochMismatch
    /// The device must go on at `least`.
    case counterOutOfStep(least: Counter)
    /// The device signed something else than the decision that it sent.
    case evidenceMismatch
    /// The attempt was made for something else before.
    case attemptReused
    /// Wrong PIN, data, number or counter: which one, nobody is told. It is charged.
    case wrongCode(FailureCount.Consequence)
}
