import TransactionApproval

/// A person's account at an enterprise.
public struct Account: Hashable, Sendable {
    let enterpriseID: EnterpriseID
    let key: AccountKey

    public var enterprise: String { enterpriseID.text }
    public var type: String { key.type.text }
    public var id: String { key.id.text }

    /// Nil unless each name has 1 to 64 of the characters `A-Z a-z 0-9 . _ -`.
    public init?(enterprise: String, type: String, id: String) {
        guard
            let enterprise = EnterpriseID(enterprise), let type = AccountType(type),
            let id = AccountID(id)
        else { return nil }
        self.init(enterprise, AccountKey(type: type, id: id))
    }

    init(_ enterprise: EnterpriseID, _ key: AccountKey) {
        enterpriseID = enterprise
        self.key = key
    }
}

extension Account: CustomStringConvertible {
    public var description: String { "\(enterpriseID)/\(key)" }
}

extension AccountRecord {
    var name: Account { Account(enterprise, account) }
}
