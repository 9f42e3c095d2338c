package import TransactionApproval

/// An account that the bank protects, and its owner.
package struct Account: Equatable, Sendable {
    package let reference: AccountReference
    /// Linked accounts have the same person; nil if the account is not linked.
    package var person: PersonID?
    package var mutedUntil: Timestamp?
    /// The account that replaced this one and took over its devices.
    package var replacedBy: AccountKey?
    /// Nil if the account never counted.
    package var consents: ConsentTotal?
    /// A test account has no rate limits, and never becomes an account of a person.
    package let isTest: Bool

    package init(
        reference: AccountReference,
        person: PersonID? = nil,
        mutedUntil: Timestamp? = nil,
        replacedBy: AccountKey? = nil,
        consents: ConsentTotal? = nil,
        isTest: Bool = false
    ) {
        self.reference = reference
        self.person = person
        self.mutedUntil = mutedUntil
        self.replacedBy = replacedBy
        self.consents = consents
        self.isTest = isTest
    }

    var consentTotal: ConsentTotal { consents ?? .zero }
}

package struct PersonID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
