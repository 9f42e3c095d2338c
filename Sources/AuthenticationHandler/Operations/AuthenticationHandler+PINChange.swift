import Cryptography
import FailureTranslation
import PrivateFiles
import TransactionApproval

extension AuthenticationHandler {
    /// Changes the PIN of every account, one after the other, and stops at the first failure.
    ///
    /// First it fetches the policies of the accounts. If one does not allow the new PIN, no account
    /// changes. A repeated call with the same PINs continues with the remaining accounts. It throws if no
    /// account changed; after some errors, it is unknown whether the first account changed. The next
    /// login, for example, fetches an unknown result from the verifier. Until then, no account
    /// changes. If the PIN turns out to be changed already, it throws `pinChangedBefore`: the old PIN
    /// would only cost an attempt.
    ///
    /// All accounts have one PIN, so a repeated call first checks the new PIN with an account that
    /// has changed. If it has another PIN, the call throws `pinChangeUnfinished` with this account,
    /// and the failure counts. Otherwise the policies of the remaining accounts do not apply.
    /// It throws `invalidArgument` if both PINs are the same.
    public func changePIN(
        from old: consuming PIN,
        to new: consuming PIN
    ) async throws(AuthenticationError) -> [PINChange] {
        guard !old.matches(new) else {
            throw AuthenticationError(.invalidArgument, cause: "the new PIN is the old one")
        }
        // Another call, or its recovery, may change the PIN meanwhile.
        let before = try allAccounts()
        let change = try await beginChange()
        // The verifier may already have an earlier proposed seed. A new proposal would replace it,
        // so its result must be known first.
        if let reason = try await recoverAll() { throw reason }
        if try isFinished(since: before) { throw AuthenticationError(.pinChangedBefore) }
        let changes = try await changeAll(from: old, to: new)
        change.end()
        return changes
    }

    /// Whether the PIN of one of these accounts has changed since, and no account is left to change.
    private func isFinished(since earlier: [OpenAccount]) throws(AuthenticationError) -> Bool {
        let accounts = try activeAccounts()
        guard accounts.leftByPINChange.isEmpty else { return false }
        return earlier.contains { old in
            accounts.contains { account in
                account.record.device == old.record.device
                    && account.record.user.ingredients != old.record.user.ingredients
            }
        }
    }

    private func changeAll(
        from old: borrowing PIN,
        to new: borrowing PIN
    ) async throws(AuthenticationError) -> [PINChange] {
        let accounts = try await accountsToChange()
        // Otherwise a policy that became stricter would leave the accounts with two PINs.
        if try await !isEarlierPIN(new, except: accounts) {
            for account in accounts { try new.check(against: account.record.policy.pin) }
        }
        try await mark(accounts)
        var outcomes: [PINChange.Outcome] = []
        for account in accounts {
            do throws(AuthenticationError) {
                try await rekey(account, from: old, to: new)
                outcomes.append(.changed)
            } catch {
                if outcomes.isEmpty { throw error }
                outcomes.append(error.mayFollowSuccess ? .unknown(error) : .failed(error))
                break
            }
        }
        let left = accounts.count - outcomes.count
        outcomes += Array(repeating: .notTried, count: left)
        return zip(accounts, outcomes).map { PINChange(account: $0.record.name, outcome: $1) }
    }

    /// The accounts that an earlier change left, or all, with the bank's current policy.
    ///
    /// Throws if the first one does not get it: the change could not begin.
    private func accountsToChange() async throws(AuthenticationError) -> [OpenAccount] {
        let all = try someAccounts()
        let left = all.leftByPINChange
        var accounts: [OpenAccount] = []
        for account in left.isEmpty ? all : left {
            do throws(AuthenticationError) {
                try await refresh(account)
            } catch  where !accounts.isEmpty && !error.isOfVault {
                // The change of this account reports it, after the earlier ones have changed.
            }
            accounts.append(try self.account(account.record.device))
        }
        return accounts
    }

    /// Whether this is the PIN of an account that an earlier change has changed; false without one.
    ///
    /// Throws if it has another PIN. Lost accounts cannot check it. They do not keep the others from
    /// getting one PIN.
    private func isEarlierPIN(
        _ new: borrowing PIN,
        except left: [OpenAccount]
    ) async throws(AuthenticationError) -> Bool {
        let changed = try activeAccounts().filter { account in
            !left.contains { $0.record.device == account.record.device }
        }
        let account = try await account(checkingPINAmong: changed) {
            account async throws(AuthenticationError) in try await isLost(account)
        }
        guard let account else { return false }
        do throws(AuthenticationError) {
            try await checkPIN(new, of: account)
            return true
        } catch  where error.code == .authenticationFailed {
            var unfinished = AuthenticationError(.pinChangeUnfinished, cause: error.cause)
            (unfinished.account, unfinished.attemptsLeft) = (error.account, error.attemptsLeft)
            throw unfinished
        }
    }

    /// Marks each account until it has changed; a single one needs no mark.
    private func mark(_ accounts: [OpenAccount]) async throws(AuthenticationError) {
        guard accounts.count > 1 else { return }
        for account in accounts {
            try await self.change(account.record.device) { $0.awaitsPINChange = true }
        }
    }

    /// One request and one commit: the verifier has either the old seed or the new one.
    private func rekey(
        _ account: OpenAccount,
        from old: borrowing PIN,
        to new: borrowing PIN
    ) async throws(AuthenticationError) {
        let device = account.record.device
        let (proposed, rekey) = try await proposal(for: account, from: old, to: new)
        try await self.change(device) { $0.user.proposed = proposed }
        let question = try translatingSystemFailure(rekey.question())
        do throws(AuthenticationError) {
            _ = try await send(
                RekeyExchange.self,
                over: question,
                of: device,
                with: .pin(try old.copy())
            ) { envelope, _ throws(AuthenticationError) in
                RekeyExchange.Request(rekey: rekey, envelope: envelope)
            }
        } catch  where error.code == .authenticationFailed {
            // The only refusal that the verifier stores, so that a delayed copy is refused too.
            try await self.change(device) { $0.user.proposed = nil }
            throw error
        }
        try await self.change(device) { record in
            record.user.ingredients = proposed
            record.user.proposed = nil
            record.awaitsPINChange = false
        }
    }

    /// A new seed for the new PIN, sealed with a key from the old seed.
    private func proposal(
        for account: OpenAccount,
        from old: borrowing PIN,
        to new: borrowing PIN
    ) async throws(AuthenticationError) -> (SeedIngredients, RekeyRequest) {
        let (record, secrets) = (account.record, account.secrets)
        do throws(CryptographyFailure) {
            let current = record.context(.user, of: record.user)
            guard let context = current.rekeyed else { throw CryptographyFailure.invalidArgument }
            let proposed = try SeedIngredients.random(context.generation, in: dependencies)
            let oldSeed = try await account.userSeed(old)
            let newSeed = try await proposed.userSeed(of: context, pin: new.digits, secrets)
            return (proposed, try account.rekey(context, to: newSeed, authorisedBy: oldSeed))
        } catch {
            throw AuthenticationError(system: SystemFailure(error))
        }
    }

    func beginChange() async throws(AuthenticationError) -> FolderLock {
        try await translatingAsync(await vault.change(), to: AuthenticationError.init(vault:))
    }
}

extension OpenAccount {
    /// The request that registers a seed, sealed with a key from the user seed.
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
    /// The accounts that still have the old PIN.
    ///
    /// A change starts with the first account, which is also marked first. If the first account is
    /// still marked, the change has not started.
    var leftByPINChange: [OpenAccount] {
        first?.record.awaitsPINChange == false ? filter(\.record.awaitsPINChange) : []
    }
}
