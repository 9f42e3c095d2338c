import Cryptography
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
    /// A new activation replaces such an account. `deleteAccount` removes it, unless an active account
    /// has the same name. An unfinished activation is finished first, if its verifier responds.
    public func unusableAccounts() async throws(AuthenticationError) -> [UnusableAccount] {
        try await recover()
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

    /// Sets how this device receives notifications, for all accounts.
    ///
    /// After a failure it continues with the other accounts, and throws the first failure at the
    /// end.
    public func setPush(_ push: Push) async throws(AuthenticationError) {
        try await recover()
        let accounts = try someAccounts()
        let setting = try push.setting
        var failure: AuthenticationError?
        for account in accounts {
            do throws(AuthenticationError) {
                let request = PushExchange.Request(attempt: try .new(), setting: setting)
                _ = try await send(PushExchange.self, request, by: try Peer(account))
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Removes the account from this device and notifies the verifier.
    ///
    /// The account is removed even if the verifier cannot be notified. Then `localOnly` contains
    /// the reason, and the bank should revoke the device. Without an active account of this name, an
    /// unfinished activation of it is removed.
    public func deleteAccount(
        _ account: Account
    ) async throws(AuthenticationError) -> Deletion {
        if let damaged = try vaultContents().damaged.first(where: { $0.name == account }) {
            try await remove(damaged.device)
            return .localOnly(AuthenticationError(vault: damaged.failure))
        }
        let account = try removableAccount(account)
        var failure: AuthenticationError?
        do throws(AuthenticationError) {
            let request = DeletionExchange.Request(attempt: try .new())
            _ = try await send(DeletionExchange.self, request, by: try Peer(account))
        } catch {
            failure = error.meansDeviceIsGone ? nil : error
        }
        try await remove(account.record.device)
        await deleteBiometricKey(of: account.record)
        return failure.map { .localOnly($0) } ?? .everywhere
    }

    private func removableAccount(_ name: Account) throws(AuthenticationError) -> OpenAccount {
        let accounts = try allAccounts().filter { $0.record.name == name }
        guard let account = accounts.first(where: { !$0.record.isPending }) ?? accounts.first else {
            return try activeAccount(name)
        }
        return account
    }
}

/// The result of a deletion.
public enum Deletion: Equatable, Sendable {
    case everywhere
    case localOnly(AuthenticationError)
}

/// How a device receives notifications of pending transactions.
public enum Push: Equatable, Sendable {
    /// The app polls.
    case off
    /// The verifier sends them while the device is connected.
    case events
    /// Firebase Cloud Messaging sends them, with the token of this installation.
    case fcm(token: String)

    fileprivate var setting: PushSetting {
        get throws(AuthenticationError) {
            switch self {
            case .off: return .off
            case .events: return .events
            case .fcm(let token):
                guard let token = FCMToken(token) else {
                    throw AuthenticationError(.invalidArgument, cause: "the token of FCM")
                }
                return .fcm(token)
            }
        }
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
