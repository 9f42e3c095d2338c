package import OneTimePassword
package import StrictJSON
package import TransactionApproval

/// What an enterprise allows and asks for; every limit of law and of the payment schemes holds.
package struct EnterprisePolicy: Equatable, Sendable {
    /// Ways of saying yes that transactions take, unless the bank asks for fewer.
    package let authentication: AuthenticationTypes
    /// Up to where consent alone is enough, by currency; other amounts ask for the person (SEC-65).
    ///
    /// What has no amount is under no ceiling. So consent is never enough for a login, as in the app,
    /// and for an action only where the bank's request for it names consent itself.
    package let consentCeilings: [Amount]
    /// How many digits the bank shows and the person types, if any.
    package let numberMatching: TypedNumber.Length?
    /// Labels that a transaction of this context must show besides amounts and payees.
    package let requiredFields: [RequiredFields]
    package let transactionLifetime: Duration
    package let push: PushPolicy
    package let lock: LockPolicy
    package let pin: PINPolicy
    package let lookAhead: LookAhead
    package let resynchronisationReach: ResynchronisationReach
    /// The shortest codes of tokens from elsewhere that are taken; nil where none are.
    package let minimumTokenDigits: HOTP.Digits?
    package let activationLifetime: Duration
    /// Whether an activation's address may carry the code with the id: one way then has both, which
    /// two ways would keep from whoever watches one of them (SEC-49).
    package let codeInActivationURI: Bool
    package let devicesPerAccount: Int
    /// Whether one activation takes all accounts of the person.
    package let linksAccounts: Bool
    /// Schemes and hosts that a transaction may send the person to.
    package let returnAddresses: [ReturnAddress]

    package struct RequiredFields: Equatable, Sendable {
        package let context: Transaction.Context
        package let labels: [DisplayText]
    }

    /// What is wrong with a document, and where.
    package enum Failure: Error, Equatable, Sendable {
        /// No policy document at all, or a member that none has.
        case document(StrictJSON.Failure)
        /// The member, by its JSON pointer (RFC 6901), is not what it may be.
        case member(String)
        /// Guessing would be likelier than the ceiling allows.
        case guessing(GuessProbability)
    }
}
