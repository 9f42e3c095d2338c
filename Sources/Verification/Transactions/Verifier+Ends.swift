import Storage
package import TransactionApproval

/// The transactions of a list that are no longer undecided.
package struct TransactionEnds: Equatable, Sendable {
    package var ended: [TransactionOverview] = []
    /// Pending, but no device can approve them now.
    package var unapprovable: [TransactionID] = []
    /// Those of `unapprovable` whose account has no device, because each one was revoked.
    package var withoutDevice: [TransactionID] = []
    /// Not of this enterprise, or not of these sources.
    package var unknown: [TransactionID] = []

    package var isEmpty: Bool { ended.isEmpty && unapprovable.isEmpty && unknown.isEmpty }

    fileprivate mutating func append(_ other: TransactionEnds) {
        ended += other.ended
        unapprovable += other.unapprovable
        withoutDevice += other.withoutDevice
        unknown += other.unknown
    }
}

extension Verifier {
    package static let maximumAwaited = 500

    /// Returns at once if one of the transactions has ended, or waits for it until `timeout` ends.
    ///
    /// One call waits for many transactions, so that a program with many requests needs few
    /// connections.
    package func ends(
        among ids: Set<TransactionID>,
        of enterprise: EnterpriseID,
        from sources: Set<RequestSource>,
        within timeout: Duration
    ) async throws(Failure) -> TransactionEnds {
        let scope = Scope(enterprise: enterprise, sources: sources)
        let (found, pending) = try await read(ids, in: scope)
        guard found.isEmpty, timeout > .zero, !pending.isEmpty else { return found }
        let deadline = pending.values.map(\.deadline).min() ?? now
        let accounts = Set(pending.values.map(\.account))
        let changes = AccountChanges()
        let rest = min(timeout, deadline.elapsed(since: now))
        for await _ in notifier.changes(of: accounts, for: rest, notedIn: changes) {
            let changed = changes.take()
            let affected = pending.filter { changed?.contains($0.value.account) ?? true }
            guard !affected.isEmpty else { continue }
            let found = try await read(Set(affected.keys), in: scope).0
            if !found.isEmpty { return found }
        }
        // Without a change of its account, only time ends a transaction.
        let end = now
        let late = pending.filter { $0.value.deadline <= end }
        return try await read(Set(late.keys), in: scope).0
    }

    /// A read of more transactions would keep other reads waiting.
    private static let maximumAtOnce = 20

    private func read(
        _ ids: Set<TransactionID>,
        in scope: Scope
    ) async throws(Failure) -> (TransactionEnds, pending: [TransactionID: TransactionRecord]) {
        let ids = Array(ids)
        var ends = TransactionEnds()
        var pending: [TransactionID: TransactionRecord] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.maximumAtOnce) {
            let part = ids[start...].prefix(Self.maximumAtOnce)
            let (found, open) = try await readAtOnce(part, in: scope)
            ends.append(found)
            pending.merge(open) { $1 }
        }
        return (ends, pending)
    }

    private func readAtOnce(
        _ ids: ArraySlice<TransactionID>,
        in scope: Scope
    ) async throws(Failure) -> (TransactionEnds, pending: [TransactionID: TransactionRecord]) {
        try await readOutcomes { [clock, policies, proven] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            var known: [AccountReference: AuthenticationTypes] = [:]
            var ends = TransactionEnds()
            var pending: [TransactionID: TransactionRecord] = [:]
            for id in ids {
                guard let record = try ledger.transactionOrArchived(id), scope.includes(record)
                else {
                    ends.unknown.append(id)
                    continue
                }
                if !record.checkPending(at: now).isAccepted {
                    try ledger.checkEvidence(of: record, proven)
                    ends.ended.append(try TransactionOverview(record, at: now))
                    continue
                }
                let account = record.account
                if known[account] == nil {
                    let policy = try policies.policy(of: scope.enterprise, ledger)
                    known[account] = try ledger.usableAuthentication(
                        of: account,
                        at: now,
                        by: policy
                    )
                }
                if known[account]?.isDisjoint(with: record.acceptedAuthentication) ?? true {
                    ends.unapprovable.append(id)
                    if try !ledger.hasDevice(account) { ends.withoutDevice.append(id) }
                } else {
                    pending[id] = record
                }
            }
            return (ends, pending)
        }
    }
}

extension Ledger {
    /// Whether an installation of the account was not revoked; it can be locked or blocked.
    fileprivate func hasDevice(_ account: AccountReference) throws(StoreFailure) -> Bool {
        try devices(of: account).contains { $0.kind.isInstallation && $0.status != .revoked }
    }
}

/// The transactions that a caller may see.
private struct Scope: Sendable {
    let enterprise: EnterpriseID
    let sources: Set<RequestSource>

    func includes(_ record: TransactionRecord) -> Bool {
        record.account.enterprise == enterprise && sources.contains(record.source)
    }
}
