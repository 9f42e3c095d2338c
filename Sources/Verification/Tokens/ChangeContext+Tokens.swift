import Storage
import TransactionApproval

/// Why a token is not added to an account.
package enum TokenRefusal: Equatable, Sendable {
    /// The enterprise accepts no tokens, or only longer codes.
    case policy
    /// The enterprise already has this token, and its codes would count twice.
    case exists
    /// The account has the maximum number of devices.
    case tooManyDevices
    /// Another account replaced this one.
    case accountReplaced
}

extension ChangeContext {
    /// Checks the token, without the account.
    func check(
        _ token: SealedToken,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> RuleResult<TokenRefusal> {
        guard policy.takesCodes(of: .token(token.suite)) else { return .refused(.policy) }
        let exists = try ledger.hasToken(token.serial, in: token.credential.enterprise)
        return exists ? .refused(.exists) : .accepted
    }

    /// Checks whether the account can have one more device.
    func checkTokenRoom(
        in account: Account,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> RuleResult<TokenRefusal> {
        guard account.replacedBy == nil else { return .refused(.accountReplaced) }
        let hasRoom = try hasRoom(in: account.reference, under: policy)
        return hasRoom ? .accepted : .refused(.tooManyDevices)
    }

    /// Adds a token to an existing account.
    ///
    /// Only a confirmed counter makes it usable at once. A restored store may have lost codes of
    /// the token; then the token needs a witnessed pair. A revoked token that is added again
    /// continues after its last used counter.
    mutating func add(
        _ token: SealedToken,
        to account: AccountReference,
        counterIsCurrent: Bool
    ) throws(StoreFailure) {
        let device = Device(
            id: token.device,
            account: account,
            kind: .token(token.suite),
            isWeb: false,
            name: token.serial.text,
            activated: now,
            waits: false
        )
        let unused = try ledger.unusedCounter(ofRevokedTokens: token.serial, in: account.enterprise)
        try ledger.add(device)
        try ledger.add(
            CredentialState(
                device: device,
                credential: Credential(
                    id: token.credential.id,
                    device: device.id,
                    kind: token.credential.kind,
                    generation: token.credential.generation,
                    counter: max(token.counter, unused),
                    status: .active,
                    confirmedEpoch: counterIsCurrent ? epoch : .first,
                    seed: token.secret
                ),
                failures: FailureCount()
            )
        )
        events.append(Event(.tokenAdded, of: device.id, in: account, detail: device.name))
    }
}
