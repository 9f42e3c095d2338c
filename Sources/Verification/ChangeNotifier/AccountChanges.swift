import PrivateFiles
import TransactionApproval

/// The accounts that changed since a waiting task last looked.
package final class AccountChanges: Sendable {
    /// Nil: each of them may have changed.
    private let changed: LockedValue<Set<AccountReference>?> = LockedValue(nil)

    /// Nil if the account is not known.
    func note(_ account: AccountReference?) {
        changed.withLock { changed in
            if let account { changed?.insert(account) } else { changed = nil }
        }
    }

    /// Nil if each of them may have changed.
    func take() -> Set<AccountReference>? {
        changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
    }
}
