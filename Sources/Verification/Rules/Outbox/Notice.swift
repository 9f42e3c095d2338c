package import TransactionApproval

/// The content of a delivery.
package enum Notice: Equatable, Sendable {
    /// For the bank's webhook.
    case event(AuditRecord)
    /// For a device: a transaction is pending.
    case push(PushNotice)
}

/// A pending transaction, and a device that can decide it.
package struct PushNotice: Equatable, Sendable {
    /// The record of the transaction's creation.
    package let record: AuditRecord
    package let enterprise: EnterpriseID
    package let payload: PushPayload
    package let deadline: Timestamp
    package let device: DeviceID
    /// How the device wants to be notified.
    package let setting: PushSetting
}
