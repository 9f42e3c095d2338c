package import TransactionApproval

extension Verifier {
    package enum TokenResult: Equatable, Sendable {
        /// The name of the device that it is from now on.
        case added(DeviceID)
        case unknownAccount
        case refused(TokenRefusal)
    }

    /// Gives an account a token that was made elsewhere.
    ///
    /// `counterIsCurrent` is the caller's word that no code from that counter on was ever used here;
    /// it matters in a store that was restored, which does not know.
    package func add(
        _ token: Token,
        to account: AccountReference,
        counterIsCurrent: Bool = false,
        by actor: Actor
    ) async throws(Failure) -> TokenResult {
        let sealed = try seal(token, for: account)
        let policies = policies
        return try await change(by: actor) { scene throws(StoreFailure) in
            guard let found = try scene.ledger.account(account) else { return .unknownAccount }
            let policy = try policies.policy(of: account.enterprise, scene.ledger)
            if let objection = try scene.objection(to: sealed, under: policy) {
                return .refused(objection)
            }
            if let objection = try scene.objection(toTokenOf: found, under: policy) {
                return .refused(objection)
            }
            try scene.add(sealed, to: account, counterIsCurrent: counterIsCurrent)
            return .added(sealed.device)
        }
    }
}
