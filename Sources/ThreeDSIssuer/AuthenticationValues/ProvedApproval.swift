import Transactions

/// The approval that an authentication value proves, as its verifier names it.
///
/// The authorisation host gets the evidence of the approval from the verifier. No ACS can make it.
struct ProvedApproval: Codable, Equatable, Sendable {
    let account: String
    let transaction: String
    /// How the person approved.
    let method: String
}

extension ProvedApproval {
    /// Nil for an exempted purchase, and before there is an approval.
    init?(of authentication: Authentication) {
        guard case .approval(let transaction, let way) = authentication.basis,
            let account = authentication.challenge?.account
        else { return nil }
        self.init(
            account: account.description,
            transaction: transaction.text,
            method: way.rawValue
        )
    }
}
