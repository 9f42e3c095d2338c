import TransactionApproval

/// Why a token is not added to an account.
package enum TokenRefusal: Equatable, Sendable {
    /// The enterprise takes codes of no token, or none so short.
    case policy
    /// It is there already, under this account or another, where a code of it would count twice.
    case exists
    /// The account has as many devices as the enterprise allows.
    case tooManyDevices
    /// Another account took its place.
    case accountReplaced
}

extension ChangeScene {
    /// What speaks against it, whichever account of the enterprise it is for.
    func objection(
        to token: SealedToken,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> TokenRefusal? {
        guard policy.takesCodes(of: .token(token.suite)) else { return .policy }
        let isThere = try ledger.hasToken(token.serial, in: token.credential.enterprise)
        return isThere ? .exists : nil
    }

    /// What speaks against one more device of an account that is there.
    func objection(
        toTokenOf account: Account,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> TokenRefusal? {
        guard account.replacedBy == nil else { return .accountReplaced }
        return try hasRoom(in: account.reference, under: policy) ? nil : .tooManyDevices
    }

    /// Adds a token to an account that is there.
    ///
    /// Only a counter that is known to be current makes it usable at once. In a store that was
    /// restored, the token may have been here before with codes that the store forgot; then it waits
    /// for a witnessed pair, as every other token there does. One that was here and was revoked goes
    /// on behind the codes that it had used then.
    mutating func add(
        _ token: SealedToken,
        to account: AccountReference,
        counterIsCurrent: Bool
    ) throws(StoreFailure) {
        let device = Device(
            id: token.device,
            account: account,
            kind: .token(token.suite),
            name: token.serial.text,
            activated: now
        )
        let unused = try ledger.unusedCounter(
            ofRevokedTokens: token.serial,
            in: account.enterprise
        )
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
                    confirmedIn: counterIsCurrent ? epoch : .first,
                    seed: token.secret
                ),
                failures: FailureCount()
            )
        )
        events.append(Event(.tokenAdded, of: device.id, in: account, detail: device.name))
    }
}
