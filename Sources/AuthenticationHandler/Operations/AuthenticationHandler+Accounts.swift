import TransactionApproval

extension AuthenticationHandler {
    /// The accounts of this device, in the order in which they were set up.
    ///
    /// Throws where there was one, and all that is left needs a new activation.
    public func getAllEnrolledAccounts() throws(AuthenticationError) -> [Account] {
        do throws(AuthenticationError) {
            return try someAccounts().map(\.record.name)
        } catch  where error.code == .noAccountActivated {
            return []
        }
    }

    /// What a person may authenticate with here: what the bank allows, and this device has.
    public func getEnabledAuthenticationTypes(
        for account: Account? = nil
    ) throws(AuthenticationError) -> [AuthenticationType] {
        enabledTypes(of: try activeAccount(account).record)
    }

    /// How the device is told that something waits, from now on and for all accounts.
    ///
    /// Where it fails for one account it goes on, and throws what happened first.
    public func setPush(_ push: Push) async throws(AuthenticationError) {
        try await settle()
        let accounts = try someAccounts()
        let setting = try push.setting
        var failure: AuthenticationError?
        for account in accounts {
            do throws(AuthenticationError) {
                let request = PushExchange.Request(attempt: try .new(), setting: setting)
                _ = try await ask(PushExchange.self, request, by: try Peer(account))
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Ends the account on this device, and tells the verifier.
    ///
    /// Afterwards it is gone from here, whatever the verifier said: `localOnly` carries why the
    /// verifier may still count this device, so that the bank can be told.
    public func deleteAccount(
        _ account: Account
    ) async throws(AuthenticationError) -> Deletion {
        if let lost = try holdings().lost.first(where: { $0.name == account }) {
            try await remove(lost.device)
            return .localOnly(AuthenticationError(lost.failure))
        }
        let account = try activeAccount(account)
        var failure: AuthenticationError?
        do throws(AuthenticationError) {
            let request = DeletionExchange.Request(attempt: try .new())
            _ = try await ask(DeletionExchange.self, request, by: try Peer(account))
        } catch {
            failure = error.saysDeviceIsGone ? nil : error
        }
        try await remove(account.record.device)
        await deleteBiometricKey(of: account.record)
        return failure.map { .localOnly($0) } ?? .everywhere
    }
}

/// How far an account was deleted.
public enum Deletion: Equatable, Sendable {
    case everywhere
    case localOnly(AuthenticationError)
}

/// How a device learns that a transaction waits for it.
public enum Push: Equatable, Sendable {
    /// It asks by itself.
    case off
    /// By the verifier, while it is connected.
    case events
    /// By Firebase Cloud Messaging, with the token that it gave to this installation.
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
    var saysDeviceIsGone: Bool { [.noAccountActivated, .deviceRevoked].contains(code) }
}

extension AttemptID {
    static func new() throws(AuthenticationError) -> AttemptID {
        do { return try .random() } catch { throw AuthenticationError(machine: error) }
    }
}
