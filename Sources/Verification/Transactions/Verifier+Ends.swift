import Storage
package import TransactionApproval

/// The transactions of a list that are no longer undecided.
package struct TransactionEnds: Equatable, Sendable {
    package var ended: [TransactionOverview] = []
    /// Pending, but every accepted credential is locked, disabled or revoked.
    package var unapprovable: [TransactionID] = []
    /// Not of this enterprise, or not of these sources.
    package var unknown: [TransactionID] = []

    package var isEmpty: Bool { ended.isEmpty && unapprovable.isEmpty && unknown.isEmpty }
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
        let list = AwaitedTransactions(enterprise: enterprise, sources: sources)
        var (found, pending) = try await read(list, ids)
        guard found.isEmpty, timeout > .zero, !pending.isEmpty else { return found }
        let deadline = pending.values.map(\.deadline).min() ?? now
        let accounts = Set(pending.values.map(\.account))
        let rest = deadline.elapsed(since: now)
        for await account in notifier.changes(of: accounts, for: min(timeout, rest)) {
            let changed = pending.filter { account == nil || $0.value.account == account }
            (found, _) = try await read(list, Set(changed.keys))
            if !found.isEmpty { return found }
        }
        (found, pending) = try await read(list, ids)
        return found
    }

    private func read(
        _ list: AwaitedTransactions,
        _ ids: Set<TransactionID>
    ) async throws(Failure) -> (TransactionEnds, pending: [TransactionID: TransactionRecord]) {
        try await readOutcomes { [clock, policies, proven] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            var ends = TransactionEnds()
            var pending: [TransactionID: TransactionRecord] = [:]
            for id in ids {
                guard let record = try ledger.transactionOrArchived(id), list.includes(record)
                else {
                    ends.unknown.append(id)
                    continue
                }
                if !record.checkPending(at: now).isAccepted {
                    try ledger.checkEvidence(of: record, proven)
                    ends.ended.append(try TransactionOverview(record, at: now))
                    continue
                }
                let policy = try policies.policy(of: list.enterprise, ledger)
                let ways = try ledger.ways(to: record.account, at: now, by: policy)
                if ways.isDisjoint(with: record.acceptedAuthentication) {
                    ends.unapprovable.append(id)
                } else {
                    pending[id] = record
                }
            }
            return (ends, pending)
        }
    }
}

private struct AwaitedTransactions: Sendable {
    let enterprise: EnterpriseID
    let sources: Set<RequestSource>

    func includes(_ record: TransactionRecord) -> Bool {
        record.account.enterprise == enterprise && sources.contains(record.source)
    }
}
