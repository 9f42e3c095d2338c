import TransactionApproval

/// An account as the verifier has it.
public struct Profile: Equatable, Sendable {
    public let account: Account
    public let pinPolicy: PINPolicy
    /// What a person may authenticate with: what the bank allows, and this device has.
    public let authenticationTypes: [AuthenticationType]
    /// Nil where the PIN is not locked.
    public let pinLock: LockEnd?
    /// False while the bank has the PIN switched off.
    public let isPINEnabled: Bool
    /// Whether a change of the PIN has come to another account and not to this one: `changePIN` goes
    /// on with it.
    public let needsPINUpdate: Bool
}

extension AuthenticationHandler {
    /// Asks the verifier how an account stands, and falls into step with it.
    public func getProfileInfo(
        for account: Account? = nil
    ) async throws(AuthenticationError) -> Profile {
        try await settle()
        let account = try activeAccount(account)
        let status = try await refresh(account)
        let record = try self.account(account.record.device).record
        let left = try activeAccounts().leftByPINChange.map(\.record.device)
        let user = status.credentials.first { $0.kind == .user }
        return Profile(
            account: record.name,
            pinPolicy: record.policy.pin,
            authenticationTypes: enabledTypes(of: record),
            pinLock: user?.lock,
            isPINEnabled: user?.isEnabled ?? false,
            needsPINUpdate: left.contains(record.device)
        )
    }

    /// Every way of authenticating that there is, whether or not it can be used here.
    public nonisolated func getAllAuthenticationModes() -> [AuthenticationType] {
        AuthenticationType.allCases
    }
}
