package import Cryptography
package import TransactionApproval

/// A credential for the bank's API, valid until it expires or is revoked.
package struct BankToken: Equatable, Sendable {
    /// The enterprises that the token can access; all others look as if they did not exist.
    package enum Reach: Equatable, Sendable {
        case enterprise(EnterpriseID)
        case all

        package func includes(_ enterprise: EnterpriseID) -> Bool {
            self == .all || self == .enterprise(enterprise)
        }
    }

    package let id: BankTokenID
    /// SHA-256 of 256 random bits, which cannot be guessed.
    package let secretDigest: Digest
    /// Unique, because the audit trail uses it to name the actor.
    package let name: BankTokenName
    package let reach: Reach
    package let role: Role
    package let created: Timestamp
    package let expiry: Timestamp
    package private(set) var revoked: Timestamp?

    package func isGood(at now: Timestamp) -> Bool { revoked == nil && now < expiry }

    /// Revokes it for good; returns false if it was revoked before.
    mutating func revoke(at now: Timestamp, events: inout [Event]) -> Bool {
        guard revoked == nil else { return false }
        revoked = now
        events.append(Event(.bankTokenRevoked, of: id, in: nil, detail: name.text))
        return true
    }

    package var author: ChangeAuthor { .token(name: name.text) }
}

package struct BankTokenID: RandomIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }
}

package struct BankTokenName: TextIdentifier, Codable {
    package let text: String
    package init(checked text: String) { self.text = text }
}
