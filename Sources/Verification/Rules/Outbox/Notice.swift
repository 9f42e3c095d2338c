package import TransactionApproval

/// What a delivery has to say.
package enum Notice: Equatable, Sendable {
    /// To the bank: this happened.
    case event(AuditRecord)
    /// To a device of the person's: a transaction waits.
    case push(PushNotice)
}

/// A transaction that waits, and a device that can answer it.
package struct PushNotice: Equatable, Sendable {
    /// Of its beginning.
    package let record: AuditRecord
    package let enterprise: EnterpriseID
    package let payload: PushPayload
    package let deadline: Timestamp
    package let device: DeviceID
    /// How it wants to be woken.
    package let setting: PushSetting
}
