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
    /// connections. One with an unreadable row is awaited like the others.
    package func ends(
        among ids: Set<TransactionID>,
        of enterprise: EnterpriseID,
        from sources: Set<RequestSource>,
        within timeout: Duration
    ) async throws(Failure) -> TransactionEnds {
        let scope = Scope(enterprise: enterprise, sources: sources)
        let (found, pending) = try await read(ids, in: scope)
        guard found.isEmpty, timeout > .zero, !ids.isEmpty else { return found }
        let deadline = pending.values.map(\.deadline).min()
        let accounts = Set(pending.values.map(\.account))
        let changes = AccountChanges()
        let rest = deadline.map { min(timeout, $0.elapsed(since: now)) } ?? timeout
        for await _ in notifier.changes(of: accounts, for: rest, notedIn: changes) {
            let changed = changes.take()
            let affected = pending.filter { changed?.contains($0.value.account) ?? true }
            guard !affected.isEmpty else { continue }
            let found = try await read(Set(affected.keys), in: scope).ends
            if !found.isEmpty { return found }
        }
        // Without a change of its account, only time ends a transaction.
        let end = now
        let late = pending.filter { $0.value.deadline <= end }
        return try await read(Set(late.keys), in: scope).ends
    }

    /// A read of more transactions would keep other reads waiting.
    private static let maximumAtOnce = 20

    private typealias Found = (
        ends: TransactionEnds, pending: [TransactionID: TransactionRecord]
    )

    private func read(_ ids: Set<TransactionID>, in scope: Scope) async throws(Failure) -> Found {
        let ids = Array(ids)
        var all: Found = (TransactionEnds(), [:])
        for start in stride(from: 0, to: ids.count, by: Self.maximumAtOnce) {
            let part = ids[start...].prefix(Self.maximumAtOnce)
            let found = try await readAtOnce(part, in: scope)
            all.ends.append(found.ends)
            all.pending.merge(found.pending) { $1 }
        }
        return all
    }

    private func readAtOnce(
        _ ids: ArraySlice<TransactionID>,
        in scope: Scope
    ) async throws(Failure) -> Found {
        try await readOutcomes { [clock, policies, proven] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            var reading = EndsReading(scope, at: now, by: policies, proven, in: ledger)
            for id in ids {
                // A row of another program must not hide the ends of other transactions.
                _ = try ledger.skippingForged { () throws(StoreFailure) in try reading.read(id) }
            }
            return (reading.ends, reading.pending)
        }
    }
}

/// Reads transactions of one call.
///
/// A transaction with an unreadable row is in none of the results, as if it were pending.
private struct EndsReading {
    private(set) var ends = TransactionEnds()
    private(set) var pending: [TransactionID: TransactionRecord] = [:]
    private var usable: [AccountReference: AuthenticationTypes] = [:]
    private let scope: Scope
    private let now: Timestamp
    private let policies: PolicyCache
    private let proven: ProvenDecisions
    private let ledger: Ledger

    init(
        _ scope: Scope,
        at now: Timestamp,
        by policies: PolicyCache,
        _ proven: ProvenDecisions,
        in ledger: Ledger
    ) {
        (self.scope, self.now, self.policies) = (scope, now, policies)
        (self.proven, self.ledger) = (proven, ledger)
    }

    mutating func read(_ id: TransactionID) throws(StoreFailure) {
        guard let record = try ledger.transactionOrArchived(id), scope.includes(record) else {
            ends.unknown.append(id)
            return
        }
        if !record.checkPending(at: now).isAccepted {
            try ledger.checkEvidence(of: record, proven)
            ends.ended.append(try TransactionOverview(record, at: now))
        } else if try !usableAuthentication(of: record.account)
            .isDisjoint(with: record.acceptedAuthentication)
        {
            pending[id] = record
        } else {
            let hasDevice = try ledger.hasDevice(record.account)
            ends.unapprovable.append(id)
            if !hasDevice { ends.withoutDevice.append(id) }
        }
    }

    /// The same for all transactions of an account.
    private mutating func usableAuthentication(
        of account: AccountReference
    ) throws(StoreFailure) -> AuthenticationTypes {
        if let known = usable[account] { return known }
        let policy = try policies.policy(of: scope.enterprise, ledger)
        let found = try ledger.usableAuthentication(of: account, at: now, by: policy)
        usable[account] = found
        return found
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
