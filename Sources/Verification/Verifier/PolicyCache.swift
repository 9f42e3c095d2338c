import FailureTranslation
import PrivateFiles
import Storage
import TransactionApproval

/// The parsed policies, by their texts.
///
/// Every store transaction reads and checks the row, so an entry is never stale.
package final class PolicyCache: Sendable {
    private struct Entry {
        let stored: StoredPolicy
        let policy: EnterprisePolicy
    }

    private let lock: Lock
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var entries: [EnterpriseID: Entry] = [:]
    let guessingCeiling: Double

    package init(guessingCeiling: Double = GuessProbability.defaultCeiling) {
        self.guessingCeiling = guessingCeiling
        lock = Lock()
    }

    /// The current policy.
    func policy(
        of enterprise: EnterpriseID,
        _ ledger: Ledger
    ) throws(StoreFailure) -> EnterprisePolicy {
        guard let stored = try ledger.policy(of: enterprise) else { throw .damaged }
        if let policy = kept(enterprise, stored) { return policy }
        let policy = try translating(
            EnterprisePolicy(document: stored.document, guessingCeiling: guessingCeiling),
            to: { (_: EnterprisePolicy.Failure) in StoreFailure.damaged }
        )
        keep(policy, of: enterprise, stored)
        return policy
    }

    /// Whether the current policy allows requests for the account.
    func allows(_ account: AccountReference, _ ledger: Ledger) throws(StoreFailure) -> Bool {
        if try policy(of: account.enterprise, ledger).allowsTestAccounts { return true }
        return try ledger.account(account)?.isTest != true
    }

    private func kept(_ enterprise: EnterpriseID, _ stored: StoredPolicy) -> EnterprisePolicy? {
        lock.locked {
            guard let entry = entries[enterprise], entry.stored == stored else { return nil }
            return entry.policy
        }
    }

    private func keep(
        _ policy: EnterprisePolicy,
        of enterprise: EnterpriseID,
        _ stored: StoredPolicy
    ) {
        lock.locked { entries[enterprise] = Entry(stored: stored, policy: policy) }
    }
}
