package import TransactionApproval

/// What the bank protects, and who it belongs to.
package struct Account: Equatable, Sendable {
    package let reference: AccountReference
    /// Accounts of one person in one enterprise have this in common, once they are linked.
    package var person: PersonID?
    package var mutedUntil: Timestamp?
    /// The account that took its place, with its devices.
    package var replacedBy: AccountKey?
}

package struct PersonID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
