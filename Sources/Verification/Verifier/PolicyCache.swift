import FailureTranslation
import PrivateFiles
import Storage
import TransactionApproval

/// The parsed policies, by their texts.
///
/// Every store transaction reads and checks the row, so its policy is never stale.
package final class PolicyCache: Sendable {
    private struct Entry {
        let document: String
        let policy: EnterprisePolicy
    }

    private let entries = LockedValue<[EnterpriseID: Entry]>([:])
    /// Enterprises that were read after their commit: no statement deletes an enterprise.
    private let committed = LockedValue<Set<EnterpriseID>>([])
    let guessingCeiling: Double

    package init(guessingCeiling: Double = GuessProbability.defaultCeiling) {
        self.guessingCeiling = guessingCeiling
    }

    func isCommitted(_ enterprise: EnterpriseID) -> Bool {
        committed.withLock { $0.contains(enterprise) }
    }

    func noteCommitted(_ enterprise: EnterpriseID) {
        committed.withLock { _ = $0.insert(enterprise) }
    }

    /// The policy that a store transaction used last; nil if there was none.
    ///
    /// It may have changed since, so the transaction that follows must compare it with the row.
    func lastUsed(of enterprise: EnterpriseID) -> EnterprisePolicy? {
        entries.withLock { $0[enterprise]?.policy }
    }

    /// The current policy.
    func policy(
        of enterprise: EnterpriseID,
        _ ledger: Ledger
    ) throws(StoreFailure) -> EnterprisePolicy {
        let key = [SQLValue(enterprise)]
        if let used = ledger.shared?.policy, used.enterprise == enterprise,
            ledger.accepts(used.version, of: .enterprise, key)
        {
            return used.parsed
        }
        guard let document = try ledger.policy(of: enterprise) else { throw .damaged }
        let policy =
            if let kept = kept(enterprise, document) {
                kept
            } else {
                try parsed(enterprise, document)
            }
        if let version = ledger.recorded.rows[RowName(.enterprise, key)]?.version {
            ledger.shared?.policy = (enterprise, policy, version)
        }
        return policy
    }

    private func parsed(
        _ enterprise: EnterpriseID,
        _ document: String
    ) throws(StoreFailure) -> EnterprisePolicy {
        let policy = try translating(
            EnterprisePolicy(document: document, guessingCeiling: guessingCeiling),
            to: { (_: EnterprisePolicy.Failure) in StoreFailure.damaged }
        )
        keep(policy, of: enterprise, document)
        return policy
    }

    /// Whether the current policy allows requests for the account.
    func allows(_ account: AccountReference, _ ledger: Ledger) throws(StoreFailure) -> Bool {
        if try policy(of: account.enterprise, ledger).allowsTestAccounts { return true }
        return try ledger.account(account)?.isTest != true
    }

    private func kept(_ enterprise: EnterpriseID, _ document: String) -> EnterprisePolicy? {
        entries.withLock { entries in
            guard let entry = entries[enterprise], entry.document == document else { return nil }
            return entry.policy
        }
    }

    private func keep(
        _ policy: EnterprisePolicy,
        of enterprise: EnterpriseID,
        _ document: String
    ) {
        entries.withLock { $0[enterprise] = Entry(document: document, policy: policy) }
    }
}
