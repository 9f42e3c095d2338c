import Storage
package import TransactionApproval

/// The result of a device's request for data of its own account.
package enum LookupResult<Value: Sendable>: Sendable {
    case found(Value)
    case refused(Refusal)
}

/// A transaction as the device shows it.
package struct PendingTransaction: Equatable, Sendable {
    /// The bytes that the verifier created: the tag of the row proves them.
    package let canonicalBytes: [UInt8]
    /// How many digits the person types; only the bank shows the digits.
    package let typedDigits: TypedNumber.Length?
}

/// The transactions that a device must be notified of.
package struct PendingNotifications: Equatable, Sendable {
    package let account: AccountReference
    /// Empty if the person muted notifications.
    package let transactions: [PendingNotification]
    /// The number of the newest record about a change that the device shows.
    package let lastChange: UInt64?
}

/// A transaction that a device must be notified of; another one after each repetition.
package struct PendingNotification: Equatable, Sendable {
    package let transaction: TransactionID
    /// How often the bank notified the person again.
    let repetitionCount: Int
}

extension Verifier {
    /// The transactions to notify the device of now, oldest first.
    package func pendingNotifications(
        for device: DeviceID
    ) async throws(Failure) -> LookupResult<PendingNotifications> {
        return try await read { [clock] ledger throws(StoreFailure) in
            try ledger.lookUp(for: device) { device throws(StoreFailure) in
                guard let account = try ledger.account(device.account) else { throw .damaged }
                let now = clock.now(in: try ledger.state())
                let isMuted = try ledger.mutedUntil(account).map { now < $0 } ?? false
                return .found(
                    PendingNotifications(
                        account: device.account,
                        transactions: isMuted
                            ? [] : try ledger.pendingNotifications(of: device.account, at: now),
                        lastChange: try ledger.accountChanges(shownOn: device, limit: 1)
                            .first?.sequence
                    )
                )
            }
        }
    }

    /// The pending transactions of the device's account, oldest first.
    package func pendingTransactions(
        for device: DeviceID
    ) async throws(Failure) -> LookupResult<[TransactionID]> {
        return try await read { [clock] ledger throws(StoreFailure) in
            try ledger.lookUp(for: device) { device throws(StoreFailure) in
                let now = clock.now(in: try ledger.state())
                return .found(try ledger.pendingTransactions(of: device.account, at: now))
            }
        }
    }

    /// A pending transaction of the device's account, or why it is no longer pending.
    package func transaction(
        _ id: TransactionID,
        for device: DeviceID
    ) async throws(Failure) -> LookupResult<PendingTransaction> {
        let found: LookupResult<TransactionRecord> = try await readOutcomes(
            reading: [Ledger.query(of: id), Ledger.query(of: device)]
        ) {
            [clock] ledger throws(StoreFailure) in
            try ledger.lookUp(for: device) { device throws(StoreFailure) in
                guard let record = try ledger.transaction(id), record.account == device.account
                else {
                    return .refused(.unknownTransaction)
                }
                let now = clock.now(in: try ledger.state())
                if case .refused(let refusal) = record.checkPending(at: now) {
                    return .refused(refusal)
                }
                return .found(record)
            }
        } isOutcome: { found in
            if case .refused = found { true } else { false }
        }
        switch found {
        case .refused(let refusal): return .refused(refusal)
        case .found(let record):
            let number = try openNumber(of: record)
            return .found(
                PendingTransaction(
                    canonicalBytes: record.canonicalBytes,
                    typedDigits: number?.length
                )
            )
        }
    }
}

extension Ledger {
    /// Reads for a device that is neither suspended nor revoked.
    func lookUp<Value>(
        for id: DeviceID,
        _ read: (Device) throws(StoreFailure) -> LookupResult<Value>
    ) throws(StoreFailure) -> LookupResult<Value> {
        guard let device = try device(id) else { return .refused(.deviceRevoked) }
        if case .refused(let refusal) = device.checkStatus() { return .refused(refusal) }
        return try read(device)
    }
}
