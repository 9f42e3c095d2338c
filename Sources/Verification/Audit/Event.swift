import TransactionApproval

/// A change of state, as the audit trail records it.
///
/// It contains names and numbers that every reader of the trail may see. It never contains a code
/// or a counter, because an attacker can test PINs with a code and its counter. Its record contains
/// a counter only in the digest of a row, without a code.
package struct Event: Equatable, Sendable {
    package let kind: Kind
    /// Nil if the event concerns the whole store.
    package let concern: EventConcern?
    /// The identifier of the changed object.
    package let subject: String
    /// Further information, in a format of its kind; may be empty.
    package let detail: String

    package init(
        _ kind: Kind,
        of subject: some CustomStringConvertible,
        in account: AccountReference?,
        detail: String = ""
    ) {
        self.init(kind, of: subject, within: account.map { .account($0) }, detail: detail)
    }

    package init(
        _ kind: Kind,
        of subject: some CustomStringConvertible,
        within concern: EventConcern?,
        detail: String = ""
    ) {
        self.kind = kind
        self.concern = concern
        self.subject = subject.description
        self.detail = detail
    }

    /// Nil if the event does not concern exactly one account.
    package var account: AccountReference? { concern?.account }
}

extension Event {
    /// In the detail of the activation and of the device that it created: a web browser.
    static let webMark = "web"

    /// Whether the device that the event activated is a web browser.
    var isOfWebDevice: Bool { kind == .deviceActivated && detail.hasSuffix(" \(Self.webMark)") }

    static func accountCreated(_ account: AccountReference, isTest: Bool = false) -> Event {
        Event(.accountCreated, of: account.key, in: account, detail: isTest ? "test" : "")
    }

    static func transactionCreated(
        _ transaction: Transaction,
        from source: RequestSource,
        notifies: Bool
    ) -> Event {
        let mark = source == .bank ? "" : " \(source)"
        return Event(
            .transactionCreated,
            of: transaction.id,
            in: AccountReference(enterprise: transaction.enterprise, key: transaction.account),
            detail: (notifies ? notified : "muted") + mark
        )
    }

    /// `number` counts the further notifications of the transaction, from 1.
    static func transactionNotified(
        _ transaction: TransactionID,
        in account: AccountReference,
        number: Int
    ) -> Event {
        Event(.transactionNotified, of: transaction, in: account, detail: "\(number)")
    }

    /// Whether pushes are sent to the person's devices.
    var isPushed: Bool {
        guard kind == .transactionCreated else { return kind.canBePushed }
        return detail.split(separator: " ").first == Self.notified[...]
    }

    private static let notified = "notified"
}

extension Event {
    /// The kind of event.
    ///
    /// Its name never changes: it is in audit trails and in webhooks.
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
        /// The code was returned again, or to another caller than the one that issued it.
        case activationCodeRead = "activation.code-read"

        case deviceActivated = "device.activated"
        /// A token was imported; the detail is its serial number.
        case tokenAdded = "device.token-added"
        /// A token's secret was exported; the detail is its serial number.
        case tokenExported = "device.token-exported"
        case deviceRevoked = "device.revoked"
        case deviceCopied = "device.copied"
        case notificationsChanged = "device.notifications-changed"

        case credentialAdded = "credential.added"
        case credentialRekeyed = "credential.rekeyed"
        case credentialRemoved = "credential.removed"
        /// The device has a newer generation than the restored store.
        case credentialOutdated = "credential.outdated"
        case credentialDisabled = "credential.disabled"
        case credentialEnabled = "credential.enabled"
        case credentialResynchronised = "credential.resynchronised"
        case codeAccepted = "credential.code-accepted"
        case codeRefused = "credential.code-refused"
        case codeReused = "credential.code-reused"
        /// So many consecutive wrong codes that an attacker may be guessing.
        case failuresRepeated = "credential.failures-repeated"
        case credentialLocked = "credential.locked"
        case blockImminent = "credential.block-imminent"
        case credentialBlocked = "credential.blocked"
        case credentialUnlocked = "credential.unlocked"

        case transactionCreated = "transaction.created"
        /// The person was notified again; the detail counts these notifications.
        case transactionNotified = "transaction.notified"
        case transactionApproved = "transaction.approved"
        case transactionRejected = "transaction.rejected"
        case transactionExpired = "transaction.expired"
        case transactionWithdrawn = "transaction.withdrawn"
        case transactionVoided = "transaction.voided"
        /// The number that the person types was returned again.
        case transactionNumberRead = "transaction.number-read"
        case personDenied = "transaction.denied-by-person"
        case loginRedeemed = "login.redeemed"

        /// The subject is the number of the delivered record, the detail is the target.
        case deliveryRetried = "delivery.retried"

        /// A client of the bank may use the API; the detail is its name.
        case bankTokenCreated = "token.created"
        case bankTokenRevoked = "token.revoked"
        /// A call waits for a second person; the detail is its operation.
        case callRequested = "call.requested"
        /// A second person confirmed a call; the detail is its operation and the first actor.
        case callConfirmed = "call.confirmed"

        case storeRestored = "store.restored"
        /// Values are sealed under the key version that is the subject.
        case keyRotated = "store.key-rotated"
        /// Values under older key versions than the subject are rejected.
        case keysEnded = "store.keys-ended"
        /// The store had no other record for a while, or an operator accepted the machine's clock.
        case timeRecorded = "store.time-recorded"
        /// A row was rejected because another program wrote it; the subject is its table and key.
        case rowForged = "store.row-forged"
    }
}
