/// What a person is asked to approve or reject, by a deadline.
///
/// A value exists only where every part obeys its rules and all parts do together, whether it comes
/// from a bank, a store or the wire. What an enterprise allows is not looked at here.
package struct Transaction: Hashable, Sendable {
    package let enterprise: EnterpriseID
    package let id: TransactionID
    package let account: AccountKey
    package let content: Content
    /// The bank's own name for it.
    package let reference: ExternalReference?
    package let returnURL: ReturnURL?
    package let acceptedAuthentication: AuthenticationTypes
    package let created: Timestamp
    package let deadline: Timestamp
    /// How often the verifier was restored from a backup when this was made.
    package let epoch: UInt64
    package let nonce: TransactionNonce

    package init(
        enterprise: EnterpriseID,
        id: TransactionID,
        account: AccountKey,
        content: Content,
        reference: ExternalReference? = nil,
        returnURL: ReturnURL? = nil,
        acceptedAuthentication: AuthenticationTypes,
        created: Timestamp,
        deadline: Timestamp,
        epoch: UInt64,
        nonce: TransactionNonce
    ) throws(Failure) {
        guard !acceptedAuthentication.isEmpty else { throw .missing(.acceptedAuthentication) }
        guard acceptedAuthentication.isSubset(of: .all) else {
            throw .invalid(.acceptedAuthentication)
        }
        guard deadline > created else { throw .invalid(.deadline) }
        self.enterprise = enterprise
        self.id = id
        self.account = account
        self.content = content
        self.reference = reference
        self.returnURL = returnURL
        self.acceptedAuthentication = acceptedAuthentication
        self.created = created
        self.deadline = deadline
        self.epoch = epoch
        self.nonce = nonce
    }
}

extension Transaction {
    /// The parts, by their tags in the canonical bytes.
    package enum Field: UInt8, CaseIterable, Sendable {
        case enterprise = 1
        case id, accountType, accountID, context, title, displayFields, amounts, payees, reference
        case returnURL, acceptedAuthentication, created, deadline, epoch, nonce
    }

    /// Which part is wrong, and how; never what it holds.
    package enum Failure: Error, Equatable, Sendable {
        case missing(Field)
        case tooMany(Field)
        case tooLong(Field)
        /// Breaks the rule of its own type, or contradicts another part.
        case invalid(Field)
        /// Bytes that begin otherwise, are too many, or go on after the last field.
        case notCanonical
    }
}

/// What a person may answer a transaction with.
package struct AuthenticationTypes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let consent = AuthenticationTypes(rawValue: 1)
    package static let userPIN = AuthenticationTypes(rawValue: 2)
    package static let biometric = AuthenticationTypes(rawValue: 4)
    package static let all: AuthenticationTypes = [.consent, .userPIN, .biometric]
}

package struct ExternalReference: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

/// Makes the hash of a transaction unlike any other, even of one that says the same.
package struct TransactionNonce: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
