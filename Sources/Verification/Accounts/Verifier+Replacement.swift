import Cryptography
import Sealing
import Storage
package import TransactionApproval

extension Verifier {
    /// Replaces an account, for example if a card is reissued: the devices move, and open requests
    /// of the old account end.
    ///
    /// The mute of the old account goes on. Unless they are of different persons, both accounts then
    /// belong to one person, so the limits of requests go on, too.
    /// The new account is created if it does not exist. If it has devices, the total must be within
    /// the policy, and the devices that move wait like a newly activated one. The seeds are sealed
    /// for their new owner before the change; if one changed meanwhile, it starts again.
    package func replace(
        _ old: AccountReference,
        by key: AccountKey,
        by author: ChangeAuthor
    ) async throws(Failure) -> AccountResult {
        let new = AccountReference(enterprise: old.enterprise, key: key)
        for _ in 1..<Self.maximumReplacements {
            do throws(Failure) {
                return try await replaceOnce(old, by: new, by: author)
            } catch .store(let failure) where failure.reason == .conflict {
                // A confirmation by a second person was not used up either.
                continue
            }
        }
        return try await replaceOnce(old, by: new, by: author)
    }

    /// A person does not change a PIN as often while one call runs.
    private static let maximumReplacements = 10

    /// Throws a conflict, and changes nothing, if a seed changed since it was sealed again.
    private func replaceOnce(
        _ old: AccountReference,
        by new: AccountReference,
        by author: ChangeAuthor
    ) async throws(Failure) -> AccountResult {
        let seeds = try await seeds(of: old, resealedFor: new)
        let person = try translatingSystemFailure(PersonID.random(), to: Failure.system)
        return try await change(by: author) { [policies] context throws(StoreFailure) in
            guard try context.hasRoom(in: new, forDevicesOf: old, policies) else {
                return .tooManyDevices
            }
            return try context.replace(old, by: new, seeds, person)
        }
    }

    private func seeds(
        of old: AccountReference,
        resealedFor new: AccountReference
    ) async throws(Failure) -> [ResealedSeed] {
        let states = try await read { ledger throws(StoreFailure) in
            try ledger.credentialStates(of: old)
        }
        var seeds: [ResealedSeed] = []
        for state in states {
            let secret = try openSecret(of: state)
            let resealed = try secret.withBytes { secret throws(Failure) in
                try seal(secret, for: state.secretOwner(in: new))
            }
            seeds.append(ResealedSeed(old: state.credential.seed, new: resealed))
        }
        return seeds
    }
}

private struct ResealedSeed: Sendable {
    let old: SealedValue
    let new: SealedValue
}

extension Ledger {
    fileprivate func credentialStates(
        of account: AccountReference
    ) throws(StoreFailure) -> [CredentialState] {
        var states: [CredentialState] = []
        for device in try devices(of: account) {
            states += try credentialStates(on: device.id)
        }
        return states
    }
}

extension ChangeContext {
    /// A new account without devices can take all of them.
    fileprivate func hasRoom(
        in new: AccountReference,
        forDevicesOf old: AccountReference,
        _ policies: PolicyCache
    ) throws(StoreFailure) -> Bool {
        let moving = try ledger.activeDeviceCount(of: old)
        guard old != new, moving > 0, try ledger.activeDeviceCount(of: new) > 0 else { return true }
        let policy = try policies.policy(of: new.enterprise, ledger)
        return try hasRoom(in: new, forDevices: moving, under: policy)
    }

    /// Throws a conflict if a seed changed since it was sealed again.
    fileprivate mutating func replace(
        _ old: AccountReference,
        by new: AccountReference,
        _ seeds: [ResealedSeed],
        _ newPerson: PersonID
    ) throws(StoreFailure) -> Verifier.AccountResult {
        guard let replaced = try ledger.account(old), old != new else { return .unknownAccount }
        guard replaced.replacedBy == nil else { return .unchanged }
        let states = try ledger.credentialStates(of: old)
        guard states.map(\.credential.seed) == seeds.map(\.old) else { throw .conflict }
        if let existing = try ledger.account(new), existing.isTest != replaced.isTest {
            return .mixedTestAccounts
        }
        if try ledger.add(new, isTest: replaced.isTest) {
            events.append(.accountCreated(new, isTest: replaced.isTest))
        }
        guard let successor = try ledger.account(new) else { throw .damaged }
        guard successor.replacedBy == nil else { return .successorReplaced }
        let waits = try ledger.devices(ofPersonWith: new).contains { $0.account != old }
        for device in try ledger.devices(of: old) { try move(device, to: new, waits: waits) }
        for (state, seed) in zip(states, seeds) { try reseal(state, as: seed.new) }
        try closeAll(of: old)
        var (former, heir) = (replaced, successor)
        former.replacedBy = new.key
        heir.person = heir.person ?? replaced.person ?? newPerson
        former.person = replaced.person ?? heir.person
        // The two can be of different persons.
        heir.mutedUntil = try [ledger.mutedUntil(replaced), heir.mutedUntil].compactMap { $0 }.max()
        try ledger.save(former)
        let consents = heir.consentTotal.merged(with: try ledger.consents(of: replaced))
        if consents != heir.consentTotal { heir.consents = consents }
        if heir != successor { try ledger.save(heir) }
        events.append(Event(.accountReplaced, of: new.key, in: old))
        return .done
    }

    private func move(
        _ old: Device,
        to account: AccountReference,
        waits: Bool
    ) throws(StoreFailure) {
        var new = old
        new.move(to: account, waits: waits)
        try ledger.save(new)
    }

    private func reseal(_ old: CredentialState, as seed: SealedValue) throws(StoreFailure) {
        var new = old
        new.credential.reseal(as: seed)
        try ledger.save(new, replacing: old)
    }

    private mutating func closeAll(of account: AccountReference) throws(StoreFailure) {
        for id in try ledger.pendingTransactions(of: account, at: now) {
            try close(id, as: .withdrawn, .transactionWithdrawn)
        }
        for id in try ledger.openActivations(of: account) { try close(id, as: .revoked) }
    }
}
