import OneTimePassword
package import TransactionApproval

/// The result of a device's request for data of its own account.
package enum Retrieval<Value: Sendable>: Sendable {
    case found(Value)
    case refused(Refusal)
}

/// A transaction as the device shows it.
package struct PendingTransaction: Equatable, Sendable {
    package let transaction: Transaction
    /// How many digits the person types; only the bank shows the digits.
    package let typedDigits: TypedNumber.Length?
}

/// The transactions that a device must be notified of.
package struct Calls: Equatable, Sendable {
    package let account: AccountReference
    /// Empty if the person muted notifications.
    package let transactions: [TransactionID]
}

extension Verifier {
    /// The transactions to notify the device of now, oldest first.
    package func calls(for device: DeviceID) async throws(Failure) -> Retrieval<Calls> {
        let clock = clock
        return try await read { ledger throws(StoreFailure) in
            guard let device = try ledger.device(device) else { return .refused(.deviceRevoked) }
            if let refusal = device.refusal { return .refused(refusal) }
            guard let account = try ledger.account(device.account) else { throw .damaged }
            let now = clock.now(in: try ledger.state())
            let isMuted = try ledger.mutedUntil(account).map { now < $0 } ?? false
            return .found(
                Calls(
                    account: device.account,
                    transactions: isMuted
                        ? [] : try ledger.pendingTransactions(of: device.account, at: now)
                )
            )
        }
    }

    /// The pending transactions of the device's account, oldest first.
    package func pendingTransactions(
        for device: DeviceID
    ) async throws(Failure) -> Retrieval<[TransactionID]> {
        let clock = clock
        return try await read { ledger throws(StoreFailure) in
            guard let device = try ledger.device(device) else { return .refused(.deviceRevoked) }
            if let refusal = device.refusal { return .refused(refusal) }
            let now = clock.now(in: try ledger.state())
            return .found(try ledger.pendingTransactions(of: device.account, at: now))
        }
    }

    /// A pending transaction of the device's account, or why it is no longer pending.
    package func transaction(
        _ id: TransactionID,
        for device: DeviceID
    ) async throws(Failure) -> Retrieval<PendingTransaction> {
        let clock = clock
        let found: Retrieval<TransactionRecord> = try await read { ledger throws(StoreFailure) in
            guard let device = try ledger.device(device) else { return .refused(.deviceRevoked) }
            if let refusal = device.refusal { return .refused(refusal) }
            guard let record = try ledger.transaction(id), record.account == device.account else {
                return .refused(.unknownTransaction)
            }
            let now = clock.now(in: try ledger.state())
            return record.refusal(at: now).map { .refused($0) } ?? .found(record)
        }
        switch found {
        case .refused(let refusal): return .refused(refusal)
        case .found(let record):
            guard let transaction = Transaction(wireBytes: record.canonicalBytes) else {
                throw .store(.damaged)
            }
            let number = try openNumber(of: record)
            return .found(PendingTransaction(transaction: transaction, typedDigits: number?.length))
        }
    }

    package func hash(
        of transaction: TransactionID,
        for device: DeviceID
    ) async throws(Failure) -> TransactionHash? {
        let found = try await read { ledger throws(StoreFailure) -> TransactionRecord? in
            guard
                let device = try ledger.device(device),
                let record = try ledger.transaction(transaction), record.account == device.account
            else { return nil }
            return record
        }
        guard let record = found else { return nil }
        return try onThisMachine { () throws(SystemFailure) in try record.hash() }
    }
}
