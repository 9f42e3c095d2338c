package import OneTimePassword
package import TransactionApproval

/// Why the verifier refuses a request of a device or a typed code.
///
/// Only `wrongCode` and `codeUsed` depend on the code. All but `wrongCode` cost no attempt, and a thief
/// of the device without its PIN gets no information from them.
package enum Refusal: Equatable, Sendable {
    /// This device has no such transaction.
    case unknownTransaction
    case transactionExpired
    case alreadyDecided(TransactionRecord.Outcome)
    /// The transaction, the policy or the device does not allow this authentication type.
    case typeNotAllowed
    /// Consent alone would exceed the policy: the person must use PIN or biometrics first.
    case consentExhausted
    /// The device is new, and approves nothing above a ceiling yet.
    case deviceWaiting(until: Timestamp)
    /// The device is a web browser, and the transaction is above a ceiling of such devices.
    case amountAboveCeiling
    case deviceRevoked
    case locked(until: Timestamp)
    case blocked
    /// The bank disabled the credential.
    case credentialDisabled
    /// The verifier was restored and does not know this device's counter yet. An in-band decision
    /// proves it, or for a token a witnessed pair of codes.
    case counterUnconfirmed
    /// Device and verifier have different generations: the device must query its status.
    case generationMismatch
    /// The verifier was restored since the device last got a response.
    case epochMismatch
    /// The device seals for a key that this verifier never had, or no longer has.
    case agreementKeyUnknown
    /// The device must continue at `minimumCounter`.
    case counterOutOfStep(minimumCounter: Counter)
    /// The device's signature is not over this decision.
    case evidenceMismatch
    /// The typed code was used before.
    case codeUsed
    /// The attempt id was used for something else.
    case attemptReused
    /// Wrong PIN, data, number or counter; the sender cannot distinguish these. It is charged.
    case wrongCode(FailureCount.Consequence)
}
