package import Transactions

/// The account of the person who approves payments with a card.
///
/// Its text is the one of commands, files and the store: `bank/main/4711`.
package struct CardAccount: Hashable, Sendable {
    package let enterprise: EnterpriseID
    package let key: AccountKey

    package init(_ enterprise: EnterpriseID, _ key: AccountKey) {
        (self.enterprise, self.key) = (enterprise, key)
    }

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let enterprise = EnterpriseID(String(parts[0])),
            let type = AccountType(String(parts[1])), let id = AccountID(String(parts[2]))
        else { return nil }
        self.enterprise = enterprise
        key = AccountKey(type: type, id: id)
    }
}

extension CardAccount: CustomStringConvertible {
    package var description: String { "\(enterprise)/\(key)" }
}
