import Cryptography
import OneTimePassword
import TransactionApproval

/// What a crash or a lost answer left open, and how it is found out: by asking, never by a code.
extension AuthenticationHandler {
    /// Asks for each account that is neither set up nor not, and for each PIN that is neither old nor
    /// new; what cannot be asked stays as it is.
    ///
    /// Where somebody is in the midst of such a change, it is for him to end it.
    func settle() async throws(AuthenticationError) {
        guard try allAccounts().contains(where: \.record.isUnsettled) else { return }
        let change = try AuthenticationError.ofVault { () throws(Vault.Failure) in
            try vault.changeAtOnce()
        }
        guard let change else { return }
        for account in try allAccounts() where account.record.isUnsettled {
            try await settle(account)
        }
        change.end()
    }

    /// Whether the account is active; nil where the verifier's answer leaves it open.
    @discardableResult
    func settle(_ account: OpenAccount) async throws(AuthenticationError) -> Bool? {
        do throws(AuthenticationError) {
            let answer = try await ask(StatusExchange.self, NoContent(), by: try Party(account))
            try await change(account.record.device) { $0.take(answer) }
            return true
        } catch  where error.code == .noAccountActivated && account.record.state == .pending {
            try await remove(account.record.device)
            return false
        } catch  where error.code == .vaultUnavailable || error.code == .vaultLocked {
            throw error
        } catch {
            return nil
        }
    }
}

extension AccountRecord {
    var isUnsettled: Bool { state == .pending || user.proposed != nil }

    /// Takes over what the verifier says of this account.
    mutating func take(_ status: StatusExchange.Answer) {
        state = .active
        policy = status.policy
        // Of several servers one may not know yet: that it announces nothing takes nothing back.
        if let next = status.nextServerKey, next != signingKey { nextSigningKey = next }
        for credential in status.credentials {
            guard var held = self.credential(credential.kind), held.id == credential.id else {
                continue
            }
            let wasProposed = held.proposed != nil
            guard held.catchUp(with: credential.position) else { continue }
            // It has this generation: what was proposed is it by now, or never got through.
            if wasProposed, held.proposed == nil { awaitsPINChange = false }
            held.proposed = nil
            set(held, credential.kind)
        }
    }
}

// MARK: The accounts

extension AuthenticationHandler {
    func holdings() throws(AuthenticationError) -> Holdings {
        try AuthenticationError.ofVault { () throws(Vault.Failure) in try vault.holdings() }
    }

    func allAccounts() throws(AuthenticationError) -> [OpenAccount] { try holdings().accounts }

    func activeAccounts() throws(AuthenticationError) -> [OpenAccount] {
        try allAccounts().filter { $0.record.state == .active }
    }

    /// At least one; throws why there is none.
    func someAccounts() throws(AuthenticationError) -> [OpenAccount] {
        let accounts = try activeAccounts()
        guard accounts.isEmpty else { return accounts }
        throw try missing()
    }

    /// The one that is meant, or the first where none is named.
    func activeAccount(_ name: Account? = nil) throws(AuthenticationError) -> OpenAccount {
        let accounts = try activeAccounts()
        guard let account = accounts.first(where: { name == nil || $0.record.name == name }) else {
            throw try missing(name)
        }
        return account
    }

    /// Why an account is not there: it was lost, or there never was one.
    private func missing(_ name: Account? = nil) throws(AuthenticationError) -> AuthenticationError
    {
        let lost = try holdings().lost.first { name == nil || $0.name == nil || $0.name == name }
        return lost.map { AuthenticationError($0.failure) }
            ?? AuthenticationError(.noAccountActivated)
    }

    func lockedVault() async throws(AuthenticationError) -> LockedVault {
        do throws(Vault.Failure) { return try await vault.locked() } catch {
            throw AuthenticationError(error)
        }
    }

    /// Changes the record as it is now, and returns when that is durable.
    func change(
        _ device: DeviceID,
        _ change: (inout AccountRecord) throws(AuthenticationError) -> Void
    ) async throws(AuthenticationError) {
        let locked = try await lockedVault()
        var account = try account(device)
        try change(&account.record)
        do throws(Vault.Failure) { try locked.save(account) } catch {
            throw AuthenticationError(error)
        }
    }

    func remove(_ device: DeviceID) async throws(AuthenticationError) {
        let locked = try await lockedVault()
        do throws(Vault.Failure) { try locked.remove(device) } catch {
            throw AuthenticationError(error)
        }
    }

    func account(_ device: DeviceID) throws(AuthenticationError) -> OpenAccount {
        let account = try AuthenticationError.ofVault { () throws(Vault.Failure) in
            try vault.account(of: device)
        }
        guard let account else { throw AuthenticationError(.noAccountActivated) }
        return account
    }
}

extension OpenAccount {
    func seeds(_ pin: borrowing PIN) async throws(CryptographyFailure) -> AccountSeeds {
        AccountSeeds(user: try await userSeed(pin), device: try deviceSeed())
    }
}
