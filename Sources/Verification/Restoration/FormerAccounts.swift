import TransactionApproval

/// The accounts that were replaced since a backup.
///
/// The backup has their devices under the old keys.
struct FormerAccounts {
    private var accounts: [AccountReference: [AccountReference]] = [:]

    init(_ records: [AuditRecord]) {
        for record in records where record.event.kind == .accountReplaced {
            guard
                let old = record.event.account, let key = AccountKey(record.event.subject)
            else { continue }
            let new = AccountReference(enterprise: old.enterprise, key: key)
            accounts[new, default: []].append(old)
        }
    }

    /// The account and all accounts that it replaced.
    func all(of account: AccountReference) -> [AccountReference] {
        var all = [account]
        var next = 0
        // After two restores, the records may contain a cycle.
        while next < all.count {
            all += (accounts[all[next]] ?? []).filter { !all.contains($0) }
            next += 1
        }
        return all
    }
}

extension AccountKey {
    /// Parses the description of a key.
    init?(_ description: String) {
        let parts = description.split(separator: "/")
        guard
            parts.count == 2, let type = AccountType(String(parts[0])),
            let id = AccountID(String(parts[1]))
        else { return nil }
        self.init(type: type, id: id)
    }
}
