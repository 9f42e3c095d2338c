import Storage
package import TransactionApproval

/// Whether the person of an account can approve a request now.
package struct Readiness: Equatable, Sendable {
    /// The authentication types that the policy allows and an active device can use.
    package let authentication: AuthenticationTypes
    /// When the rate limit of the source accepts the next request; nil for now.
    package let nextRequest: Timestamp?
    /// Whether notifications are muted.
    package let isMuted: Bool
    /// The rules of the policy that a request must meet.
    package let rules: Rules

    package struct Rules: Equatable, Sendable {
        package let maximumLifetime: Duration
        package let requiredFields: [EnterprisePolicy.RequiredFields]
        /// Nil if the person types no number.
        package let numberMatching: TypedNumber.Length?
    }

    package var isReady: Bool { !authentication.isEmpty && nextRequest == nil }
}

extension Verifier {
    /// Nil if the account does not exist.
    package func readiness(
        of account: AccountReference,
        for source: RequestSource
    ) async throws(Failure) -> Readiness? {
        try await readOutcomes { [clock, policies] ledger throws(StoreFailure) in
            guard let account = try ledger.account(account) else { return nil }
            let state = try ledger.state()
            let now = clock.now(in: state)
            let policy = try policies.policy(of: account.reference.enterprise, ledger)
            let history = try ledger.requestHistory(of: account, from: source, at: now)
            let isOpen = policy.allows(account) && account.replacedBy == nil
            return Readiness(
                authentication: isOpen
                    ? try ledger.usableAuthentication(of: account.reference, at: now, by: policy)
                        .subtracting(
                            ledger.exhaustedConsent(of: account, in: state.epoch, by: policy)
                        )
                    : [],
                nextRequest: history.nextRequest(at: now, by: policy.push(from: source)),
                isMuted: history.isMuted(at: now),
                rules: Readiness.Rules(
                    maximumLifetime: policy.transactionLifetime,
                    requiredFields: policy.requiredFields,
                    numberMatching: policy.numberMatching
                )
            )
        }
    }
}

extension RequestHistory {
    fileprivate func nextRequest(at now: Timestamp, by policy: PushPolicy) -> Timestamp? {
        switch check(at: now, by: policy) {
        case .accepted: nil
        case .refused(.tooManyPending(let end)), .refused(.rateLimited(let end)): end
        }
    }
}

extension Ledger {
    /// The authentication types that the policy allows, and for which an active device of the account
    /// has a credential that is not locked.
    func usableAuthentication(
        of account: AccountReference,
        at now: Timestamp,
        by policy: EnterprisePolicy
    ) throws(StoreFailure) -> AuthenticationTypes {
        var usable: AuthenticationTypes = []
        for device in try devices(of: account)
        where device.takesTransactions && policy.allowsDevice(isWeb: device.isWeb) {
            let kinds = try credentialStates(on: device.id)
                .map { HeldCredential($0, at: now, by: policy.lock) }
                .filter(\.isUsable).map(\.kind)
            for type in AuthenticationType.allCases where kinds.contains(type.credentialKind) {
                usable.insert(AuthenticationTypes(type))
            }
        }
        return usable.intersection(policy.authentication)
    }

    /// Consent, if no request could be approved by it now; otherwise nothing.
    fileprivate func exhaustedConsent(
        of account: Account,
        in epoch: Epoch,
        by policy: EnterprisePolicy
    ) throws(StoreFailure) -> AuthenticationTypes {
        guard policy.authentication.contains(.consent) else { return [] }
        let consents = try consents(of: account, in: epoch)
        return consents?.adding([], within: policy.consent) == nil ? .consent : []
    }
}

extension HeldCredential {
    fileprivate var isUsable: Bool {
        guard status == .active, case .open = failures else { return false }
        return true
    }
}
