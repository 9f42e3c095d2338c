import Cryptography
import OneTimePassword
import TransactionApproval

/// What became of one account in a change of the PIN.
public struct PINChange: Equatable, Sendable {
    public let account: Account
    /// Nil where the new PIN is good for it, and the old one is not any more.
    public let failure: AuthenticationError?
}

extension AuthenticationHandler {
    /// Takes every account over to the new PIN, one after the other, and stops where one fails.
    ///
    /// Repeated with the same PINs it goes on with those that are left. It throws where no account
    /// went over. Of the one where it failed, the next operation finds out which PIN is good; while
    /// that cannot be asked, no account goes over.
    public func changePIN(
        from old: consuming PIN,
        to new: consuming PIN
    ) async throws(AuthenticationError) -> [PINChange] {
        let change = try await beginChange()
        // A seed that is proposed now takes the place of one whose fate is not known: that one,
        // which the verifier may have, must be settled first.
        if let reason = try await settleAll() { throw reason }
        let changes = try await changeAll(from: old, to: new)
        change.end()
        return changes
    }

    private func changeAll(
        from old: borrowing PIN,
        to new: borrowing PIN
    ) async throws(AuthenticationError) -> [PINChange] {
        let accounts = try await accountsToChange(to: new)
        var changes: [PINChange] = []
        for account in accounts {
            do throws(AuthenticationError) {
                try await rekey(account, from: old, to: new)
                changes.append(PINChange(account: account.record.name, failure: nil))
            } catch {
                if changes.isEmpty { throw error }
                let left = accounts.dropFirst(changes.count)
                return changes + left.map { PINChange(account: $0.record.name, failure: error) }
            }
        }
        return changes
    }

    /// Those that an earlier change left, or all; each remembers that it is one of them.
    private func accountsToChange(
        to pin: borrowing PIN
    ) async throws(AuthenticationError) -> [OpenAccount] {
        let accounts = try someAccounts()
        for account in accounts { try pin.check(by: account.record.policy.pin) }
        let left = accounts.leftByPINChange
        guard left.isEmpty else { return left }
        if accounts.count > 1 {
            for account in accounts {
                try await self.change(account.record.device) { $0.awaitsPINChange = true }
            }
        }
        return accounts
    }

    /// One message and one commit: the verifier has the old seed or the new one, and never both.
    private func rekey(
        _ account: OpenAccount,
        from old: borrowing PIN,
        to new: borrowing PIN
    ) async throws(AuthenticationError) {
        let device = account.record.device
        let (proposed, rekey) = try await proposal(for: account, from: old, to: new)
        try await self.change(device) { $0.user.proposed = proposed }
        let question = try AuthenticationError.onThisMachine { () throws(CryptographyFailure) in
            try rekey.question()
        }
        _ = try await ask(
            RekeyExchange.self,
            over: question,
            of: device,
            with: .pin(try old.copy())
        ) { envelope, _ throws(AuthenticationError) in
            RekeyExchange.Request(rekey: rekey, envelope: envelope)
        }
        try await self.change(device) { record in
            record.user.ingredients = proposed
            record.user.proposed = nil
            record.awaitsPINChange = false
        }
    }

    /// A new seed behind the new PIN, sealed under what the old seed gives.
    private func proposal(
        for account: OpenAccount,
        from old: borrowing PIN,
        to new: borrowing PIN
    ) async throws(AuthenticationError) -> (SeedIngredients, RekeyRequest) {
        let (record, secrets) = (account.record, account.secrets)
        do throws(CryptographyFailure) {
            let current = record.context(.user, of: record.user)
            guard let context = current.rekeyed else { throw CryptographyFailure.invalidArgument }
            let proposed = try SeedIngredients.random(context.generation, in: surroundings)
            let oldSeed = try await account.userSeed(old)
            let newSeed = try await proposed.userSeed(of: context, pin: new.digits, secrets)
            return (proposed, try account.rekey(context, to: newSeed, authorisedBy: oldSeed))
        } catch {
            throw AuthenticationError(machine: error)
        }
    }

    func beginChange() async throws(AuthenticationError) -> FolderLock {
        do throws(Vault.Failure) { return try await vault.change() } catch {
            throw AuthenticationError(error)
        }
    }
}

extension OpenAccount {
    /// What hands over the seed of a credential, sealed under what the seed behind the PIN gives.
    func rekey(
        _ credential: CredentialContext,
        to seed: borrowing CredentialSeed,
        authorisedBy userSeed: borrowing CredentialSeed
    ) throws(CryptographyFailure) -> RekeyRequest {
        let ephemeral = try P256.PrivateKey()
        let proposal = RekeyProposal(
            authority: record.context(.user, of: record.user),
            credential: credential,
            ephemeralKey: ephemeral.publicKey,
            serverKey: try ServerKeyID(of: record.agreementKey)
        )
        guard let proposal else { throw .invalidArgument }
        let session = try RekeySession(
            proposal,
            ephemeral: ephemeral,
            server: record.agreementKey,
            authority: userSeed
        )
        return try session.request(sealing: seed, nonce: .random())
    }
}

extension [OpenAccount] {
    /// Those that a change of the PIN has not come to.
    ///
    /// It comes to the first one first, and that one is also marked first: where it still waits, the
    /// change has not begun, whichever others are marked.
    var leftByPINChange: [OpenAccount] {
        first?.record.awaitsPINChange == false ? filter(\.record.awaitsPINChange) : []
    }
}
