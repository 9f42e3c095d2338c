package import TransactionApproval

/// What makes codes for one account: an activated installation, or a token from elsewhere.
package struct Device: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// With the uncompressed point of the key that it signs with, which only who checks a
        /// signature reads as a key.
        case installation(publicKey: [UInt8])
        /// It shows codes and does nothing else: it has no key, so no request can come from it.
        case token(TokenSuite)
    }

    package enum Status: UInt8, Sendable {
        case active = 1
        /// A credential of it was locked for good, which suspends the others: only a new activation
        /// helps.
        case blocked
        case revoked
    }

    package let id: DeviceID
    package private(set) var account: AccountReference
    package let kind: Kind
    package let name: String
    package let activated: Timestamp
    package private(set) var status: Status

    package init(
        id: DeviceID,
        account: AccountReference,
        kind: Kind,
        name: String,
        activated: Timestamp,
        status: Status = .active
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.name = name
        self.activated = activated
        self.status = status
    }

    /// A revoked device stays revoked.
    package mutating func block() {
        if status == .active { status = .blocked }
    }

    mutating func move(to account: AccountReference) {
        self.account = account
    }

    mutating func revoke() {
        status = .revoked
    }
}

extension Device {
    /// Whether its person can be asked to approve something: a token shows codes and nothing else.
    var takesTransactions: Bool {
        guard case .installation = kind else { return false }
        return status == .active
    }

    /// Why nothing is done for it, whatever it asks for.
    var refusal: Refusal? {
        switch status {
        case .active: nil
        case .blocked: .blocked
        case .revoked: .deviceRevoked
        }
    }
}

extension Device.Kind {
    /// Which credential the codes are of that somebody reads off it.
    ///
    /// No PIN is behind a token's: whoever holds it has them, so they never stand for the person.
    var typedCredential: CredentialKind {
        switch self {
        case .installation: .user
        case .token: .device
        }
    }
}

/// An account with the enterprise that it is in.
package struct AccountReference: Hashable, Sendable {
    package let enterprise: EnterpriseID
    package let key: AccountKey

    package init(enterprise: EnterpriseID, key: AccountKey) {
        self.enterprise = enterprise
        self.key = key
    }
}
