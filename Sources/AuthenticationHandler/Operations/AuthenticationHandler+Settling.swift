import Cryptography
import OneTimePassword
import TransactionApproval

/// What a crash or a lost answer left open, and how it is found out: by asking, never by a code.
///
/// What is asked about can arrive no more (`Unanswered`), so the answer holds for good.
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
        _ = try await settleAll()
        change.end()
    }

    /// The same within a change; gives why an account stays as it is, the first of them.
    func settleAll() async throws(AuthenticationError) -> AuthenticationError? {
        var reason: AuthenticationError?
        for account in try allAccounts() where account.record.isUnsettled {
            do throws(AuthenticationError) {
                try await settle(account)
            } catch  where error.code == .vaultUnavailable || error.code == .vaultLocked {
                throw error
            } catch {
                reason = reason ?? error
            }
        }
        return reason
    }

    private func settle(_ account: OpenAccount) async throws(AuthenticationError) {
        let request = StatusExchange.Request(account.record.unanswered)
        do throws(AuthenticationError) {
            let status = try await ask(StatusExchange.self, request, by: try Peer(account))
            guard try !isSuperseded(account) else { return try await end(account) }
            if account.record.isPending { try await endOthers(than: account) }
            try await change(account.record.device) { record in
                record.take(status)
                // It is the PIN's by now, or never will be.
                record.user.proposed = nil
            }
        } catch  where error.saysDeviceIsGone && account.record.isPending {
            try await remove(account.record.device)
        }
    }
}

extension AuthenticationHandler {
    /// Ends what this device was for an account that is set up anew.
    ///
    /// It goes before the new one is active, so that there are never two.
    func endOthers(than account: OpenAccount) async throws(AuthenticationError) {
        for other in try activeAccounts()
        where other.record.name == account.record.name
            && other.record.place < account.record.place
        {
            try await end(other)
        }
    }

    /// Whether the account was set up anew, by a later activation, before this one was settled.
    private func isSuperseded(_ account: OpenAccount) throws(AuthenticationError) -> Bool {
        guard account.record.isPending else { return false }
        return try activeAccounts().contains {
            $0.record.name == account.record.name && $0.record.place > account.record.place
        }
    }

    private func end(_ account: OpenAccount) async throws(AuthenticationError) {
        let request = DeletionExchange.Request(attempt: try .new())
        // A verifier that does not hear of it counts one device more, and no worse: `try?`.
        _ = try? await ask(DeletionExchange.self, request, by: try Peer(account))
        try await remove(account.record.device)
    }

    /// Asks how the account stands, and falls into step with the verifier.
    @discardableResult
    func refresh(
        _ account: OpenAccount
    ) async throws(AuthenticationError) -> StatusExchange.Response {
        let status = try await ask(StatusExchange.self, .init(), by: try Peer(account))
        try await change(account.record.device) { $0.take(status) }
        return status
    }
}

extension AccountRecord {
    var isPending: Bool { state != .active }

    var isUnsettled: Bool { unanswered != nil }

    /// What was sent whose end is not known.
    fileprivate var unanswered: Unanswered? {
        switch state {
        case .pending(let commit): .commit(commit)
        case .active: user.proposed == nil ? nil : .codes(below: user.counter)
        }
    }

    /// Takes over what the verifier says of this account.
    mutating func take(_ status: StatusExchange.Response) {
        state = .active
        account = status.account
        policy = status.policy
        // Of several servers one may not know yet: that it announces nothing takes nothing back.
        if let next = status.nextServerKey, next != signingKey { nextSigningKey = next }
        for credential in status.credentials {
            guard self.credential(credential.kind)?.id == credential.id else { continue }
            _ = catchUp(credential.kind, with: credential.position)
        }
    }

    /// Moves a credential to where the verifier is; false where it has a generation that was never
    /// made here.
    mutating func catchUp(_ kind: CredentialKind, with position: CredentialPosition) -> Bool {
        guard var held = credential(kind) else { return false }
        if held.proposed?.generation == position.generation { awaitsPINChange = false }
        defer { set(held, kind) }
        return held.catchUp(with: position)
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
        _ change: (inout AccountRecord) -> Void
    ) async throws(AuthenticationError) {
        let locked = try await lockedVault()
        var account = try account(device)
        change(&account.record)
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
