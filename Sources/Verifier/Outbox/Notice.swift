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

extension Verifier {
    /// Nil where there is nothing to say any more: the transaction ended, or nobody wants to hear.
    package func notice(of delivery: Delivery) async throws(Failure) -> Notice? {
        try await read { [clock] ledger throws(StoreFailure) in
            guard let record = try ledger.auditRecord(delivery.sequence) else { throw .damaged }
            switch delivery.target {
            case .webhook: return .event(record)
            case .push:
                let now = clock.now(in: try ledger.state())
                return try ledger.pushNotice(of: record, at: now).map { .push($0) }
            }
        }
    }
}

extension Ledger {
    fileprivate func pushNotice(
        of record: AuditRecord,
        at now: Timestamp
    ) throws(StoreFailure) -> PushNotice? {
        guard let id = TransactionID(record.event.subject) else { throw .damaged }
        guard
            let transaction = try transaction(id), transaction.refusal(at: now) == nil
        else { return nil }
        var recipients: [PushNotice.Recipient] = []
        for device in try devices(of: transaction.account) where device.takesTransactions {
            guard let setting = try pushSetting(of: device.id), setting != .off else { continue }
            recipients.append(.init(device: device.id, setting: setting))
        }
        guard !recipients.isEmpty else { return nil }
        return PushNotice(
            record: record,
            enterprise: transaction.account.enterprise,
            payload: PushPayload(transactionID: id, account: transaction.account.key),
            deadline: transaction.deadline,
            recipients: recipients
        )
    }
}
