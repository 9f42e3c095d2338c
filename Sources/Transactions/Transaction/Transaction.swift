/// A request that a person approves or rejects before a deadline.
///
/// A value exists only if each part and all parts together obey the rules. The rules of an
/// enterprise are checked elsewhere.
package struct Transaction: Hashable, Sendable {
    package let enterprise: EnterpriseID
    package let id: TransactionID
    package let account: AccountKey
    package let content: Content
    /// The bank's own identifier.
    package let reference: ExternalReference?
    package let returnURL: ReturnURL?
    package let acceptedAuthentication: AuthenticationTypes
    package let created: Timestamp
    package let deadline: Timestamp
    /// The epoch of the verifier when the transaction was created.
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

    /// The part and the kind of error; never its value.
    package enum Failure: Error, Equatable, Sendable {
        case missing(Field)
        case tooMany(Field)
        case tooLong(Field)
        /// Breaks a rule of its type, or contradicts another part.
        case invalid(Field)
        /// A wrong start, too many bytes, or bytes after the last field.
        case notCanonical
    }
}

/// The authentication types that a transaction accepts.
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

/// Makes the hash of each transaction unique.
package struct TransactionNonce: Hashable, Sendable {
    package let bytes: [UInt8]

    package static let byteCount = 16

    /// The caller has checked that there are 16 bytes.
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}
