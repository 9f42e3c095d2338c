package import TransactionApproval

/// An account that the bank protects, and its owner.
package struct Account: Equatable, Sendable {
    package let reference: AccountReference
    /// Linked accounts have the same person; nil if the account is not linked.
    package var person: PersonID?
    package var mutedUntil: Timestamp?
    /// The account that replaced this one and took over its devices.
    package var replacedBy: AccountKey?
}

package struct PersonID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
