import Cryptography
import FailureTranslation
import OneTimePassword
import PrivateFiles
import TransactionApproval

/// Recovery after a crash or a lost response: the device requests the result from the verifier.
///
/// The request names the unanswered message, which the verifier then no longer accepts. So the
/// result is final.
extension AuthenticationHandler {
    /// Requests the result of each unanswered activation or PIN change.
    ///
    /// Accounts whose verifier does not respond stay as they are. If another process is making such
    /// a change, that process finishes it. An operation that concerns other accounts does not wait
    /// again for a server that was just unreachable.
    ///
    /// Returns the first failure, preferably of an account that the operation concerns.
    @discardableResult
    func recover(
        for isConcerned: (AccountRecord) -> Bool = { _ in false }
    ) async throws(AuthenticationError) -> AuthenticationError? {
        let all = try allAccounts()
        // Without another account, every operation needs the result.
        let isNeeded = !all.contains { $0.record.state == .active }
        let accounts = all.filter {
            $0.record.needsRecovery
                && (isNeeded || isConcerned($0.record) || !wasJustUnreachable($0.record.device))
        }
        guard !accounts.isEmpty else { return nil }
        let change = try translating(vault.changeAtOnce(), to: AuthenticationError.init(vault:))
        guard let change else { return nil }
        let failures = try await recover(accounts)
        for (account, failure) in zip(accounts, failures) {
            // A cancelled operation did not wait for the server.
            let isUnreachable =
                account.record.isPending && failure?.meansNoConnection == true && !Task.isCancelled
            unreachable[account.record.device] = isUnreachable ? dependencies.now() : nil
        }
        change.end()
        let found = zip(accounts, failures).filter { $0.1 != nil }
        return (found.first { isConcerned($0.0.record) } ?? found.first)?.1
    }

    private func wasJustUnreachable(_ device: DeviceID) -> Bool {
        guard let moment = unreachable[device] else { return false }
        return (.zero..<Duration.seconds(60)).contains(dependencies.now().elapsed(since: moment))
    }

    /// The same inside a change, for all accounts; returns the first failure.
    func recoverAll() async throws(AuthenticationError) -> AuthenticationError? {
        let accounts = try allAccounts().filter(\.record.needsRecovery)
        return try await recover(accounts).lazy.compactMap { $0 }.first
    }

    /// The failure of each account, or nil.
    private func recover(
        _ accounts: [OpenAccount]
    ) async throws(AuthenticationError) -> [AuthenticationError?] {
        let failures = await results(for: accounts) { await self.failure(ofRecovering: $0) }
        let ofVault = failures.lazy.compactMap { $0 }.first(where: \.isOfVault)
        if let ofVault { throw ofVault }
        return failures
    }

    private func failure(ofRecovering account: OpenAccount) async -> AuthenticationError? {
        do throws(AuthenticationError) {
            try await recover(account)
            return nil
        } catch {
            return error
        }
    }

    /// The results for all accounts, in their order.
    ///
    /// Accounts of different servers run at the same time: an unreachable server does not delay the
    /// others.
    func results<Value: Sendable>(
        for accounts: [OpenAccount],
        _ body: @escaping @Sendable (OpenAccount) async -> Value
    ) async -> [Value] {
        let servers = Dictionary(grouping: accounts.indices) { accounts[$0].record.server }
        let values = await withTaskGroup(of: [(Int, Value)].self) { group in
            for indices in servers.values {
                group.addTask {
                    var values: [(Int, Value)] = []
                    for index in indices { values.append((index, await body(accounts[index]))) }
                    return values
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        return values.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func recover(_ account: OpenAccount) async throws(AuthenticationError) {
        let request = StatusExchange.Request(account.record.unanswered)
        do throws(AuthenticationError) {
            let status = try await send(StatusExchange.self, request, by: try Peer(account))
            try check(status, of: account.record)
            guard try !isSuperseded(account) else { return try await end(account) }
            if account.record.isPending { try await endOthers(than: account) }
            try await change(account.record.device) { record in
                record.take(status)
                // The proposed seed is now either active or void.
                record.user.proposed = nil
            }
        } catch  where error.meansDeviceIsGone && account.record.isPending {
            try await remove(account.record.device)
        }
    }
}

extension AuthenticationHandler {
    /// Removes earlier activations of the same account.
    ///
    /// This happens before the new one becomes active, so that there are never two.
    func endOthers(than account: OpenAccount) async throws(AuthenticationError) {
        for other in try activeAccounts()
        where other.record.isSameAccount(as: account.record)
            && other.record.place < account.record.place
        {
            try await end(other)
        }
    }

    /// Whether a later activation of the same account is already active.
    private func isSuperseded(_ account: OpenAccount) throws(AuthenticationError) -> Bool {
        guard account.record.isPending else { return false }
        return try activeAccounts().contains {
            $0.record.isSameAccount(as: account.record) && $0.record.place > account.record.place
        }
    }

    /// Deletes the account here, and at the verifier if it responds.
    func end(_ account: OpenAccount) async throws(AuthenticationError) {
        let request = DeletionExchange.Request(attempt: try .new())
        // If the request fails, the verifier counts one device too many: `try?`.
        _ = try? await send(DeletionExchange.self, request, by: try Peer(account))
        try await removeWithBiometricKey(account.record.device)
    }

    /// Fetches the status of the account and updates the vault.
    @discardableResult
    func refresh(
        _ account: OpenAccount
    ) async throws(AuthenticationError) -> StatusExchange.Response {
        let status = try await send(StatusExchange.self, .init(), by: try Peer(account))
        try check(status, of: account.record)
        try await change(account.record.device) { $0.take(status) }
        return status
    }

    /// Rejects a status that would move a counter too far, or that gives the account the name of one
    /// at another server.
    private func check(
        _ status: StatusExchange.Response,
        of record: AccountRecord
    ) throws(AuthenticationError) {
        try record.checkReach(of: status)
        guard status.account != record.account else { return }
        let name = Account(record.enterprise, status.account)
        let isTaken = try allAccounts().contains {
            $0.record.name == name && $0.record.server != record.server
        }
        guard !isTaken else {
            throw AuthenticationError(.response, cause: "the account of another server")
        }
    }
}

extension AccountRecord {
    var isPending: Bool { state != .active }

    var needsRecovery: Bool { unanswered != nil }

    /// Whether both are of one account: two servers may have accounts with the same name.
    fileprivate func isSameAccount(as other: AccountRecord) -> Bool {
        name == other.name && server == other.server
    }

    /// The message whose result is unknown.
    fileprivate var unanswered: UnansweredRequest? {
        if let sentCommit { return .commit(sentCommit) }
        return user.proposed == nil ? nil : .codes(below: user.counter)
    }

    /// The commit of an activation whose result is unknown.
    var sentCommit: SentCommit? {
        guard case .pending(let commit) = state else { return nil }
        return commit
    }

    /// Rejects a status that would move a counter too far.
    fileprivate func checkReach(
        of status: StatusExchange.Response
    ) throws(AuthenticationError) {
        for shown in status.credentials where credential(shown.kind)?.id == shown.id {
            try checkReach(of: shown.position, shown.kind)
        }
    }

    /// Updates the record from the verifier's status.
    mutating func take(_ status: StatusExchange.Response) {
        state = .active
        account = status.account
        policy = status.policy
        // One server of several may not have the announcement yet, so a missing key removes
        // nothing.
        if let next = status.nextServerKey, next != signingKey { nextSigningKey = next }
        if let next = status.nextAgreementKey { agree(with: next) }
        for credential in status.credentials {
            guard self.credential(credential.kind)?.id == credential.id else { continue }
            _ = synchronize(credential.kind, with: credential.position)
        }
    }

    /// Replaces the agreement key by the announced key, which the verifier accepts already.
    ///
    /// A device that missed an earlier rotation ignores the announcement: another key signed it.
    private mutating func agree(with next: AgreementKeyAnnouncement) {
        // If the machine fails, the next status repeats the announcement: `try?`.
        guard (try? next.isSigned(by: agreementKey, at: server)) == true else { return }
        agreementKey = next.key
    }

    /// Moves a credential to the verifier's position; false if it cannot.
    mutating func synchronize(_ kind: CredentialKind, with position: CredentialPosition) -> Bool {
        guard var held = credential(kind) else { return false }
        if held.proposed?.generation == position.generation { awaitsPINChange = false }
        defer { set(held, kind) }
        return held.synchronize(with: position)
    }
}

// MARK: The accounts

extension AuthenticationHandler {
    func vaultContents() throws(AuthenticationError) -> VaultContents {
        try translating(vault.contents(), to: AuthenticationError.init(vault:))
    }

    func allAccounts() throws(AuthenticationError) -> [OpenAccount] { try vaultContents().accounts }

    func activeAccounts() throws(AuthenticationError) -> [OpenAccount] {
        try allAccounts().filter { $0.record.state == .active }
    }

    /// The active accounts; throws if there is none.
    func someAccounts() throws(AuthenticationError) -> [OpenAccount] {
        let accounts = try activeAccounts()
        guard accounts.isEmpty else { return accounts }
        throw try missing()
    }

    /// The named account, or the first one.
    func activeAccount(_ name: Account?) throws(AuthenticationError) -> OpenAccount {
        let accounts = try activeAccounts()
        guard let account = accounts.first(where: { name == nil || $0.record.name == name }) else {
            throw try missing(name)
        }
        return account
    }

    /// The same for an operation that needs the network: the name can be newer than the record.
    func currentAccount(_ name: Account?) async throws(AuthenticationError) -> OpenAccount {
        let account = try await currentAccounts { name == nil || $0.name == name }.first
        guard let account else { throw try missing(name) }
        return account
    }

    /// The active accounts that match; if none does, the bank may have replaced one of the others.
    func currentAccounts(
        where isMatching: (AccountRecord) -> Bool
    ) async throws(AuthenticationError) -> [OpenAccount] {
        let accounts = try activeAccounts()
        let known = accounts.filter { isMatching($0.record) }
        guard known.isEmpty else { return known }
        for account in accounts {
            do throws(AuthenticationError) {
                try await refresh(account)
            } catch  where !error.isOfVault {
                // Another account may match.
            }
        }
        return try activeAccounts().filter { isMatching($0.record) }
    }

    /// The error for a missing account: it is damaged, or it never existed.
    func missing(_ name: Account? = nil) throws(AuthenticationError) -> AuthenticationError {
        let damaged = try vaultContents().damaged.first {
            name == nil || $0.name == nil || $0.name == name
        }
        return damaged.map { AuthenticationError(vault: $0.failure) }
            ?? AuthenticationError(.noAccountActivated)
    }

    /// Changes the vault while this process holds its lock.
    func changeVault<Result>(
        _ change: (borrowing LockedVault) throws(Vault.Failure) -> Result
    ) async throws(AuthenticationError) -> Result {
        do throws(Vault.Failure) {
            return try change(try await vault.locked())
        } catch {
            throw AuthenticationError(vault: error)
        }
    }

    /// Changes the current record, and returns when the change is durable.
    func change(
        _ device: DeviceID,
        _ change: (inout AccountRecord) -> Void
    ) async throws(AuthenticationError) {
        let isFound = try await changeVault { locked throws(Vault.Failure) in
            guard var account = try vault.account(of: device) else { return false }
            change(&account.record)
            try locked.save(account)
            return true
        }
        guard isFound else { throw AuthenticationError(.noAccountActivated) }
    }

    func remove(_ device: DeviceID) async throws(AuthenticationError) {
        try await changeVault { locked throws(Vault.Failure) in try locked.remove(device) }
    }

    func account(_ device: DeviceID) throws(AuthenticationError) -> OpenAccount {
        let account = try translating(
            vault.account(of: device),
            to: AuthenticationError.init(vault:)
        )
        guard let account else { throw AuthenticationError(.noAccountActivated) }
        return account
    }
}

extension OpenAccount {
    func seeds(_ pin: borrowing PIN) async throws(CryptographyFailure) -> AccountSeeds {
        AccountSeeds(user: try await userSeed(pin), device: try deviceSeed())
    }
}

extension AuthenticationError {
    var meansNoConnection: Bool {
        [.networkUnavailable, .responseMissing].contains(code)
    }

    /// Whether it concerns the vault of all accounts.
    var isOfVault: Bool { [.vaultUnavailable, .vaultLocked].contains(code) }
}
