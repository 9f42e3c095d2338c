package import OneTimePassword
package import StrictJSON
package import TransactionApproval

/// An enterprise's settings, within the limits of law and payment schemes.
package struct EnterprisePolicy: Equatable, Sendable {
    /// Authentication types of transactions, unless the bank requests fewer.
    package let authentication: AuthenticationTypes
    /// The limits for consent alone.
    ///
    /// Content without an amount is only counted. So consent is never enough for a login; for an
    /// action it is enough only if the bank's request names it.
    package let consent: ConsentPolicy
    package let newDevice: NewDevicePolicy
    package let webDevices: WebDevicePolicy
    /// The number of digits that the bank shows and the person types; nil if there is no number.
    package let numberMatching: TypedNumber.Length?
    /// Labels that a transaction of this context must show in addition to amounts and payees.
    package let requiredFields: [RequiredFields]
    package let transactionLifetime: Duration
    /// For requests of the bank itself.
    package let push: PushPolicy
    /// For requests because of card payments.
    package let cards: PushPolicy
    package let lock: LockPolicy
    package let pin: PINPolicy
    package let lookAhead: LookAhead
    package let resynchronisationReach: ResynchronisationReach
    /// The minimum code length of imported tokens; nil if tokens are not accepted.
    package let minimumTokenDigits: HOTP.Digits?
    package let activationLifetime: Duration
    /// Whether the activation URI may contain the code.
    ///
    /// One channel then carries the id and the code, so one observer gets both (SEC-49).
    package let codeInActivationURI: Bool
    package let devicesPerAccount: Int
    /// Whether one activation covers all accounts of the person.
    package let linksAccounts: Bool
    /// Schemes and hosts that a transaction's return URL may have.
    package let returnAddresses: [ReturnAddress]
    /// Whether accounts without rate limits can exist, which only tests need.
    package let allowsTestAccounts: Bool

    package struct RequiredFields: Equatable, Sendable {
        package let context: Transaction.Context
        package let labels: [DisplayText]
    }

    /// Why a document is invalid.
    package enum Failure: Error, Equatable, Sendable {
        /// Not JSON.
        case document(StrictJSON.Failure)
        /// Never empty.
        case violations([Violation])
        /// Guessing would be more likely than the ceiling allows.
        case guessing(GuessProbability)
    }
}
