import FailureTranslation
import OneTimePassword
import Storage
package import TransactionApproval

// Read models for the bank; none contains a secret.

/// An account with its person's settings.
package struct AccountOverview: Equatable, Sendable {
    package let account: Account
    /// The other accounts of the person.
    package let linked: [AccountKey]
    /// Until when the person wants no notifications, set on any of the person's accounts.
    package let mutedUntil: Timestamp?
    /// The approvals by consent alone, of the person; nil if a restore lost some.
    package let consents: ConsentTotal?
}

package struct DeviceOverview: Equatable, Sendable {
    package let device: Device
    package let push: PushSetting
    package let credentials: [HeldCredential]
}

/// A transaction, pending or closed.
package struct TransactionOverview: Equatable, Sendable {
    package let transaction: Transaction
    /// A transaction past its deadline is shown as expired, even before the expiry job runs.
    package let state: TransactionRecord.State
    package let source: RequestSource
    /// Whether the device's signed evidence is stored.
    package let hasEvidence: Bool
}

/// Transactions of an account, newest first, and the start of the next page.
package struct TransactionPage: Equatable, Sendable {
    package let transactions: [TransactionOverview]
    package let next: TransactionCursor?
}

extension Verifier {
    package func enterprises() async throws(Failure) -> [EnterpriseID] {
        try await read { ledger throws(StoreFailure) in try ledger.enterprises() }
    }

    /// The policy's text; nil if the enterprise does not exist.
    package func policy(of enterprise: EnterpriseID) async throws(Failure) -> String? {
        try await read { ledger throws(StoreFailure) in
            try ledger.policy(of: enterprise)
        }
    }

    package func isEnterprise(_ enterprise: EnterpriseID) async throws(Failure) -> Bool {
        if policies.isCommitted(enterprise) { return true }
        let isThere = try await read { ledger throws(StoreFailure) in
            try ledger.hasEnterprise(enterprise)
        }
        if isThere { policies.noteCommitted(enterprise) }
        return isThere
    }

    /// Whether the activation code may be sent together with the id.
    package func sendsCodeWithID(in enterprise: EnterpriseID) async throws(Failure) -> Bool {
        return try await read { [policies] ledger throws(StoreFailure) in
            try policies.policy(of: enterprise, ledger).codeInActivationURI
        }
    }

    /// The records after `sequence`, of all enterprises or one.
    package func auditExport(
        of enterprise: EnterpriseID?,
        after sequence: UInt64
    ) async throws(Failure) -> AuditExport {
        let export = try await translatingAsync(
            await AuditExport(
                of: KeyedStore(database, keyRing),
                after: sequence,
                concerning: enterprise,
                noting: forgeries
            ),
            to: Failure.store
        )
        // The head of this read is not before the end of the export.
        try await readOutcomes { _ in }
        return export
    }

    package func overview(of account: AccountReference) async throws(Failure) -> AccountOverview? {
        try await readOutcomes { ledger throws(StoreFailure) in
            guard let account = try ledger.account(account) else { return nil }
            let key = account.reference.key
            return AccountOverview(
                account: account,
                linked: try ledger.linkedAccounts(of: account).filter { $0 != key },
                mutedUntil: try ledger.mutedUntil(account),
                consents: try ledger.consents(of: account, in: try ledger.state().epoch)
            )
        }
    }

    /// The latest activations, newest first; nil if the account does not exist.
    package func activations(
        of account: AccountReference,
        limit: Int
    ) async throws(Failure) -> [Activation]? {
        try await readOutcomes { ledger throws(StoreFailure) in
            guard try ledger.account(account) != nil else { return nil }
            return try ledger.activations(of: account, limit: limit)
        }
    }

    package func activation(
        _ id: ActivationID,
        of account: AccountReference
    ) async throws(Failure) -> Activation? {
        try await readOutcomes { ledger throws(StoreFailure) in
            let found = try ledger.activation(id)
            return found?.account == account ? found : nil
        }
    }

    /// Nil if the account does not exist.
    package func devices(of account: AccountReference) async throws(Failure) -> [DeviceOverview]? {
        return try await readOutcomes { [clock, policies] ledger throws(StoreFailure) in
            guard try ledger.account(account) != nil else { return nil }
            let now = clock.now(in: try ledger.state())
            let policy = try policies.policy(of: account.enterprise, ledger)
            return try ledger.devices(of: account).map { device throws(StoreFailure) in
                guard let push = try ledger.pushSetting(of: device.id) else { throw .damaged }
                return DeviceOverview(
                    device: device,
                    push: push,
                    credentials: try ledger.credentialStates(on: device.id).map {
                        HeldCredential($0, at: now, by: policy.lock)
                    }
                )
            }
        }
    }
}

// MARK: Transactions

extension Verifier {
    /// Returns at once, or waits until the transaction is closed or `timeout` ends.
    ///
    /// Nil if it is not of this account and one of these sources.
    package func overview(
        of id: TransactionID,
        of account: AccountReference,
        from sources: Set<RequestSource> = Set(RequestSource.allCases),
        within timeout: Duration = .zero
    ) async throws(Failure) -> TransactionOverview? {
        let first = try await readOverview(of: id, of: account, from: sources)
        guard let first, first.state == .pending, timeout > .zero else { return first }
        let rest = first.transaction.deadline.elapsed(since: now)
        for await _ in notifier.changes(of: account, for: min(timeout, rest)) {
            let next = try await readOverview(of: id, of: account, from: sources)
            if next?.state != .pending { return next }
        }
        return try await readOverview(of: id, of: account, from: sources)
    }

    private func readOverview(
        of id: TransactionID,
        of account: AccountReference,
        from sources: Set<RequestSource>
    ) async throws(Failure) -> TransactionOverview? {
        return try await readOutcomes { [clock, proven] ledger throws(StoreFailure) in
            let found = try ledger.transactionOrArchived(id)
            guard
                let record = found, record.account == account, sources.contains(record.source)
            else { return nil }
            try ledger.checkEvidence(of: record, proven)
            let now = clock.now(in: try ledger.state())
            return try TransactionOverview(record, at: now)
        }
    }

    /// The number that the bank shows for a pending transaction, after the audit trail has the
    /// caller; nil if the person types no number.
    package func readNumber(
        for transaction: TransactionID,
        of account: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> TypedNumber? {
        let found = try await change(by: author) {
            context throws(StoreFailure) -> TransactionRecord? in
            guard
                let record = try context.ledger.transaction(transaction),
                record.account == account, record.number != nil,
                record.checkPending(at: context.now).isAccepted
            else { return nil }
            context.events.append(Event(.transactionNumberRead, of: transaction, in: account))
            return record
        }
        return try found.flatMap { record throws(Failure) in try openNumber(of: record) }
    }

    /// The transactions before `cursor`, including archived ones; nil if the account does not
    /// exist.
    package func transactions(
        of account: AccountReference,
        before cursor: TransactionCursor? = nil,
        limit: Int
    ) async throws(Failure) -> TransactionPage? {
        return try await readOutcomes { [clock, proven] ledger throws(StoreFailure) in
            guard try ledger.account(account) != nil else { return nil }
            let now = clock.now(in: try ledger.state())
            let cursor = cursor ?? .newest
            // One more row than needed shows whether there is a next page.
            let found =
                try ledger.transactions(of: account, before: cursor, limit: limit + 1)
                + ledger.archivedTransactions(of: account, before: cursor, limit: limit + 1)
            let newest = found.sorted { TransactionCursor(of: $1) < TransactionCursor(of: $0) }
            let page = newest.prefix(limit)
            return TransactionPage(
                transactions: try page.map { record throws(StoreFailure) in
                    try ledger.checkEvidence(of: record, proven)
                    return try TransactionOverview(record, at: now)
                },
                next: newest.count > limit ? page.last.map { TransactionCursor(of: $0) } : nil
            )
        }
    }
}

extension TransactionOverview {
    /// Of a transaction that was created now.
    package init(new transaction: Transaction, from source: RequestSource) {
        self.init(transaction: transaction, state: .pending, source: source, hasEvidence: false)
    }

    init(_ record: TransactionRecord, at now: Timestamp) throws(StoreFailure) {
        let isLate = record.state == .pending && record.deadline <= now
        self.init(
            transaction: try record.transaction(),
            state: isLate ? .closed(.expired, at: record.deadline) : record.state,
            source: record.source,
            hasEvidence: record.evidence != nil
        )
    }
}
