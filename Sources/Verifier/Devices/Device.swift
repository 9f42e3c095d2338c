package import TransactionApproval

/// One activated installation for one account.
package struct Device: Equatable, Sendable {
    package enum Standing: UInt8, Sendable {
        case active = 1
        /// A credential of it was locked for good, which suspends the others: only a new activation
        /// helps.
        case blocked
        case revoked
    }

    package let id: DeviceID
    package private(set) var account: AccountReference
    /// The uncompressed point, which only who checks a signature reads as a key.
    package let publicKey: [UInt8]
    package let name: String
    package let activated: Timestamp
    package private(set) var standing: Standing

    package init(
        id: DeviceID,
        account: AccountReference,
        publicKey: [UInt8],
        name: String,
        activated: Timestamp,
        standing: Standing = .active
    ) {
        self.id = id
        self.account = account
        self.publicKey = publicKey
        self.name = name
        self.activated = activated
        self.standing = standing
    }

    /// A revoked device stays revoked.
    package mutating func block() {
        if standing == .active { standing = .blocked }
    }

    mutating func move(to account: AccountReference) {
        self.account = account
    }

    mutating func revoke() {
        standing = .revoked
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
