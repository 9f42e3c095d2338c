import TransactionApproval

/// Why a token is not added to an account.
package enum TokenObjection: Equatable, Sendable {
    /// The enterprise takes codes of no token, or none so short.
    case policy
    /// It is there already, under this account or another.
    case exists
    /// The account has as many devices as the enterprise allows.
    case tooManyDevices
    /// Another account took its place.
    case accountReplaced
}

extension ChangeScene {
    /// Looks at all that may speak against it, but changes nothing.
    func objection(
        to token: SealedToken,
        for account: AccountReference,
        under policy: EnterprisePolicy
    ) throws(StoreFailure) -> TokenObjection? {
        guard policy.takesCodes(of: .token(token.suite)) else { return .policy }
        guard try ledger.device(token.device) == nil else { return .exists }
        guard let found = try ledger.account(account) else { return nil }
        guard found.replacedBy == nil else { return .accountReplaced }
        let active = try ledger.devices(of: account).count { $0.standing == .active }
        return active < policy.devicesPerAccount ? nil : .tooManyDevices
    }

    /// Adds a token to an account that is there.
    ///
    /// Only a counter that is known to be current makes it usable at once. In a store that was
    /// restored, the token may have been here before with codes that the store forgot; then it waits
    /// for a witnessed pair, as every other token there does.
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
        try ledger.add(device)
        try ledger.add(
            CredentialState(
                device: device,
                credential: Credential(
                    id: token.credential.id,
                    device: device.id,
                    kind: token.credential.kind,
                    generation: token.credential.generation,
                    counter: token.counter,
                    standing: .active,
                    confirmedIn: counterIsCurrent ? epoch : .first,
                    seed: token.secret
                ),
                failures: FailureCount()
            )
        )
        events.append(Event(.tokenAdded, of: device.id, in: account, detail: device.name))
    }
}
