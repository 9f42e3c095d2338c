package import TransactionApproval

/// A source of codes for one account: an activated installation, or an imported token.
package struct Device: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// With the uncompressed point of the key that it signs with.
        case installation(publicKey: [UInt8])
        /// It only shows codes: it has no key, so it cannot send a request.
        case token(TokenSuite)
    }

    package enum Status: UInt8, Sendable {
        case active = 1
        /// One of its credentials was locked for good, which suspends the others. Only a new
        /// activation helps.
        case blocked
        case revoked
    }

    package let id: DeviceID
    package private(set) var account: AccountReference
    package let kind: Kind
    /// Whether it is a web browser, which the activation decides (SEC-113).
    package let isWeb: Bool
    package let name: String
    package let activated: Timestamp
    /// Whether the policy of new devices applies to it (SEC-117).
    ///
    /// The activation decides it: the person had another device before. Later changes of that device
    /// and of the person's accounts do not change it. A token never waits, because an activation code
    /// does not enrol it.
    package private(set) var waits: Bool
    /// The amounts that it approved in its waiting period.
    private(set) var waitingAmounts: CurrencySums
    package private(set) var status: Status

    package init(
        id: DeviceID,
        account: AccountReference,
        kind: Kind,
        isWeb: Bool,
        name: String,
        activated: Timestamp,
        waits: Bool,
        waitingAmounts: CurrencySums = CurrencySums(),
        status: Status = .active
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.isWeb = isWeb
        self.name = name
        self.activated = activated
        self.waits = waits
        self.waitingAmounts = waitingAmounts
        self.status = status
    }

    /// A revoked device stays revoked.
    package mutating func block() {
        if status == .active { status = .blocked }
    }

    mutating func addWaiting(_ amounts: CurrencySums) {
        waitingAmounts = waitingAmounts.adding(amounts)
    }

    /// An account whose person has devices does not get another one that approves at once.
    mutating func move(to account: AccountReference, waits newlyWaits: Bool) {
        self.account = account
        if newlyWaits, kind.isInstallation { waits = true }
    }

    mutating func revoke() {
        status = .revoked
    }
}

extension Device {
    /// Whether it can approve a transaction; a token cannot.
    var takesTransactions: Bool {
        kind.isInstallation && status == .active
    }

    /// Whether any request of this device is processed.
    func checkStatus() -> RuleResult<Refusal> {
        switch status {
        case .active: .accepted
        case .blocked: .refused(.blocked)
        case .revoked: .refused(.deviceRevoked)
        }
    }
}

extension Device.Kind {
    var isInstallation: Bool {
        if case .installation = self { true } else { false }
    }

    /// The kind of the credential that computes the codes which people read and type.
    ///
    /// A token's code has no PIN behind it, so it never proves the person.
    var typedCredential: CredentialKind {
        switch self {
        case .installation: .user
        case .token: .device
        }
    }
}

/// An account with its enterprise.
package struct AccountReference: Hashable, Sendable {
    package let enterprise: EnterpriseID
    package let key: AccountKey

    package init(enterprise: EnterpriseID, key: AccountKey) {
        self.enterprise = enterprise
        self.key = key
    }
}
