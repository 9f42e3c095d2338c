package import TransactionApproval

/// The part of the store that an event concerns.
package enum EventConcern: Hashable, Sendable {
    /// Every account of the enterprise, such as a new policy.
    case enterprise(EnterpriseID)
    case account(AccountReference)

    package var enterprise: EnterpriseID {
        switch self {
        case .enterprise(let enterprise): enterprise
        case .account(let account): account.enterprise
        }
    }

    package var account: AccountReference? {
        if case .account(let account) = self { account } else { nil }
    }
}
