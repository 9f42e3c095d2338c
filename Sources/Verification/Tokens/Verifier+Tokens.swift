import Storage
package import TransactionApproval

extension Verifier {
    package enum TokenResult: Equatable, Sendable {
        /// With the id of its new device.
        case added(DeviceID)
        case unknownAccount
        case refused(TokenRefusal)
    }

    /// Adds a token from another manufacturer to an account.
    ///
    /// With `counterIsCurrent` the caller confirms that no code from the counter on was used; a
    /// restored store cannot know.
    package func add(
        _ token: Token,
        to account: AccountReference,
        counterIsCurrent: Bool = false,
        by actor: Actor
    ) async throws(Failure) -> TokenResult {
        let sealed = try seal(token, for: account)
        return try await change(by: actor) { [policies] context throws(StoreFailure) in
            guard let found = try context.ledger.account(account) else { return .unknownAccount }
            let policy = try policies.policy(of: account.enterprise, context.ledger)
            if case .refused(let refusal) = try context.check(sealed, under: policy) {
                return .refused(refusal)
            }
            if case .refused(let refusal) = try context.checkTokenRoom(in: found, under: policy) {
                return .refused(refusal)
            }
            try context.add(sealed, to: account, counterIsCurrent: counterIsCurrent)
            return .added(sealed.device)
        }
    }
}
