package import TransactionApproval

/// The content of a delivery.
package enum Notice: Equatable, Sendable {
    /// For the bank's webhook.
    case event(EventNotice)
    /// For a device: a transaction is pending.
    case push(PushNotice)
}

/// A record of the audit trail, as the bank gets it.
package struct EventNotice: Equatable, Sendable {
    package let record: AuditRecord
    /// The bank's reference of the transaction that the event concerns.
    package let reference: ExternalReference?
}

/// A pending transaction, and a device that can decide it.
package struct PushNotice: Equatable, Sendable {
    /// The record of the transaction's creation.
    package let record: AuditRecord
    package let enterprise: EnterpriseID
    package let payload: PushPayload
    package let reference: ExternalReference?
    package let deadline: Timestamp
    package let device: DeviceID
    /// How the device wants to be notified.
    package let setting: PushSetting
}
