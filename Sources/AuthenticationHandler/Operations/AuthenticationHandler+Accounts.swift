import Cryptography
import PrivateFiles
import TransactionApproval

extension AuthenticationHandler {
    /// The accounts of this device, in the order of their activation.
    ///
    /// Throws if all accounts are damaged and need a new activation.
    public func accounts() throws(AuthenticationError) -> [Account] {
        do throws(AuthenticationError) {
            return try someAccounts().map(\.record.name)
        } catch  where error.code == .noAccountActivated {
            return []
        }
    }

    /// The accounts that cannot be used: `accounts()` does not list them.
    ///
    /// A new activation at the same server replaces such an account, if its name is known.
    /// `deleteAccount` removes it.
    /// An unfinished activation is finished first, if its verifier responds.
    public func unusableAccounts() async throws(AuthenticationError) -> [UnusableAccount] {
        try await recover { _ in true }
        return try recordedUnusableAccounts()
    }

    /// The same by the vault alone: nothing is sent, and no activation is finished.
    package func recordedUnusableAccounts() throws(AuthenticationError) -> [UnusableAccount] {
        let contents = try vaultContents()
        let damaged = contents.damaged.map {
            UnusableAccount(
                account: $0.name,
                fileName: $0.device.fileName,
                reason: $0.failure == .secretsMissing ? .secretsMissing : .damaged
            )
        }
        let unfinished = contents.accounts.map(\.record).filter(\.isPending).map {
            UnusableAccount(
                account: $0.name,
                fileName: $0.device.fileName,
                reason: .activationUnfinished
            )
        }
        return damaged + unfinished
    }

    /// The accounts that this activation makes active if it succeeded, by the vault alone.
    ///
    /// Its result is unknown. Accounts that are active already do not count.
    package func unfinishedAccounts(
        of activation: borrowing Activation
    ) throws(AuthenticationError) -> [Account] {
        let id = activation.id
        let unfinished = try allAccounts().filter { $0.record.sentCommit?.activation == id }
        let active = try activeAccounts().map(\.record.name)
        return unfinished.map(\.record.name).filter { !active.contains($0) }
    }

    /// Removes the account from this device and notifies the verifier.
    ///
    /// The account is removed even if the verifier cannot be notified. Then `localOnly` contains
    /// the reason, and the bank should revoke the device. If the task is cancelled before the request
    /// is sent, it throws and removes nothing. It removes the first of these accounts with
    /// this name: an active one, one with an unfinished activation, a damaged one.
    ///
    /// If the vault cannot be locked, for example on a read-only disk, it throws and the verifier is
    /// not notified. If the app ends meanwhile, `unusableAccounts()` can list the account: remove it
    /// again.
    public func deleteAccount(
        _ account: Account
    ) async throws(AuthenticationError) -> Deletion {
        let change = try await beginDeletion()
        let deletion = try await delete(account)
        change.end()
        return deletion
    }

    /// Without an account there may be no folder for the lock.
    private func beginDeletion() async throws(AuthenticationError) -> FolderLock {
        let contents = try vaultContents()
        guard !contents.accounts.isEmpty || !contents.damaged.isEmpty else {
            throw AuthenticationError(.noAccountActivated)
        }
        return try await beginChange()
    }

    private func delete(_ account: Account) async throws(AuthenticationError) -> Deletion {
        let contents = try vaultContents()
        let accounts = contents.accounts.filter { $0.record.name == account }
        if let found = accounts.first(where: { !$0.record.isPending }) ?? accounts.first {
            return try await delete(found)
        }
        guard let damaged = contents.damaged.first(where: { $0.name == account }) else {
            throw try missing(account)
        }
        return try await delete(damaged)
    }

    /// Removes this account from this device, even if its name is unknown or an active account has
    /// the same name.
    ///
    /// The verifier is notified of an unfinished activation only. Throws `accountAlreadyActivated`
    /// if the account can be used now.
    public func deleteAccount(
        _ account: UnusableAccount
    ) async throws(AuthenticationError) -> Deletion {
        guard let device = DeviceID(fileName: account.fileName) else {
            throw AuthenticationError(.noAccountActivated)
        }
        let change = try await beginDeletion()
        let deletion = try await deleteUnusable(device)
        change.end()
        return deletion
    }

    private func deleteUnusable(_ device: DeviceID) async throws(AuthenticationError) -> Deletion {
        let contents = try vaultContents()
        if let damaged = contents.damaged.first(where: { $0.device == device }) {
            return try await delete(damaged)
        }
        guard let found = contents.accounts.first(where: { $0.record.device == device }) else {
            throw AuthenticationError(.noAccountActivated)
        }
        guard found.record.isPending else { throw AuthenticationError(.accountAlreadyActivated) }
        return try await delete(found)
    }

    private func delete(_ account: OpenAccount) async throws(AuthenticationError) -> Deletion {
        // If the vault cannot be written, this fails before the verifier deletes the account.
        try await changeVault { _ throws(Vault.Failure) in }
        var failure: AuthenticationError?
        do throws(AuthenticationError) {
            let peer = try Peer(account)
            // Otherwise the activation could still arrive after the deletion.
            if let commit = account.record.sentCommit {
                _ = try await send(StatusExchange.self, .init(.commit(commit)), by: peer)
            }
            let request = DeletionExchange.Request(attempt: try .new())
            _ = try await send(DeletionExchange.self, request, by: peer)
        } catch {
            // Without the cancellation, the request might have reached the verifier.
            if Task.isCancelled, error.code == .networkUnavailable { throw error }
            failure = error.meansDeviceIsGone ? nil : error
        }
        try await removeWithBiometricKey(account.record.device)
        return failure.map { .localOnly($0) } ?? .everywhere
    }

    private func delete(_ damaged: DamagedAccount) async throws(AuthenticationError) -> Deletion {
        try await removeWithBiometricKey(damaged.device)
        return .localOnly(AuthenticationError(vault: damaged.failure))
    }
}

extension AuthenticationError {
    var meansDeviceIsGone: Bool { [.noAccountActivated, .deviceRevoked].contains(code) }
}

extension RandomIdentifier {
    static func new() throws(AuthenticationError) -> Self {
        try translatingSystemFailure(.random())
    }
}
