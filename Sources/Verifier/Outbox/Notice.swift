package import TransactionApproval

/// What a delivery has to say.
package enum Notice: Equatable, Sendable {
    /// To the bank: this happened.
    case event(AuditRecord)
    /// To the person's devices: a transaction waits.
    case push(PushNotice)
}

/// A transaction that waits, and the devices that can answer it.
package struct PushNotice: Equatable, Sendable {
    package struct Recipient: Equatable, Sendable {
        package let device: DeviceID
        package let setting: PushSetting
    }

    /// Of its beginning.
    package let record: AuditRecord
    package let enterprise: EnterpriseID
    package let payload: PushPayload
    package let deadline: Timestamp
    /// Those that want to be woken.
    package let recipients: [Recipient]
}
