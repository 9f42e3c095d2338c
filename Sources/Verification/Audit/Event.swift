import TransactionApproval

/// Something that happened and that the audit trail keeps: one for each change of state.
///
/// It holds names and numbers that anybody with access to the trail may see; never a code, and
/// never a counter, since a code with its counter tests a PIN. The record of it has a counter in a
/// digest of the credential's row, beside no code.
package struct Event: Equatable, Sendable {
    package let kind: Kind
    /// Nil where it concerns more than one account.
    package let account: AccountReference?
    /// The identifier of what changed.
    package let subject: String
    /// What else there is to know, by the kind's own rule; empty where there is nothing.
    package let detail: String

    package init(
        _ kind: Kind,
        of subject: some CustomStringConvertible,
        in account: AccountReference?,
        detail: String = ""
    ) {
        self.kind = kind
        self.account = account
        self.subject = subject.description
        self.detail = detail
    }
}

extension Event {
    static func transactionCreated(_ transaction: Transaction, notifies: Bool) -> Event {
        Event(
            .transactionCreated,
            of: transaction.id,
            in: AccountReference(enterprise: transaction.enterprise, key: transaction.account),
            detail: notifies ? notified : "muted"
        )
    }

    /// Whether the person's devices hear of it.
    var isPushed: Bool { kind == .transactionCreated && detail == Self.notified }

    private static let notified = "notified"
}

extension Event {
    /// What happened, under a name that never changes: it is in audit trails and in webhooks.
    package enum Kind: String, CaseIterable, Sendable {
        case enterpriseCreated = "enterprise.created"
        case policyChanged = "enterprise.policy-changed"
        case accountCreated = "account.created"
        case accountsLinked = "account.linked"
        case accountsUnlinked = "account.unlinked"
        case accountReplaced = "account.replaced"

        case activationIssued = "activation.issued"
        case activationFailed = "activation.failed"
        case activationClaimed = "activation.claimed"
        case activationRevoked = "activation.revoked"
        case activationExpired = "activation.expired"

        case deviceActivated = "device.activated"
        /// A token from elsewhere came in; the detail is its serial number.
        case tokenAdded = "device.token-added"
        /// Its secret left for another system; the detail is its serial number.
        case tokenExported = "device.token-exported"
        case deviceRevoked = "device.revoked"
        case deviceCopied = "device.copied"
        case notificationsChanged = "device.notifications-changed"

        case credentialAdded = "credential.added"
        case credentialRekeyed = "credential.rekeyed"
        case credentialRemoved = "credential.removed"
        /// The device has a newer generation than the store, which was restored.
        case credentialOutdated = "credential.outdated"
        case credentialDisabled = "credential.disabled"
        case credentialEnabled = "credential.enabled"
        case credentialResynchronised = "credential.resynchronised"
        case codeAccepted = "credential.code-accepted"
        case codeRefused = "credential.code-refused"
        case codeReused = "credential.code-reused"
        /// So many wrong codes in a row that somebody may be guessing.
        case failuresRepeated = "credential.failures-repeated"
        case credentialLocked = "credential.locked"
        case blockImminent = "credential.block-imminent"
        case credentialBlocked = "credential.blocked"
        case credentialUnlocked = "credential.unlocked"

        case transactionCreated = "transaction.created"
        case transactionApproved = "transaction.approved"
        case transactionRejected = "transaction.rejected"
        case transactionExpired = "transaction.expired"
        case transactionWithdrawn = "transaction.withdrawn"
        case transactionVoided = "transaction.voided"
        case personDenied = "transaction.denied-by-person"
        case loginRedeemed = "login.redeemed"

        /// The subject is the number of the record that it tells of, the detail to whom.
        case deliveryRetried = "delivery.retried"

        /// A program of the bank may use the API; the detail is its name.
        case bankTokenCreated = "token.created"
        case bankTokenRevoked = "token.revoked"

        case storeRestored = "store.restored"
        /// Values begin to be under the key that is the subject.
        case keyRotated = "store.key-rotated"
        /// Nothing is taken any more that is under an older key than the subject.
        case keysEnded = "store.keys-ended"
    }
}
