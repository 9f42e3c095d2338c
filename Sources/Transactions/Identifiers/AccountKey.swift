/// Identifies an account within its enterprise.
package struct AccountKey: Hashable, Sendable {
    package let type: AccountType
    package let id: AccountID

    package init(type: AccountType, id: AccountID) {
        self.type = type
        self.id = id
    }
}

extension AccountKey: CustomStringConvertible {
    package var description: String { "\(type)/\(id)" }
}
