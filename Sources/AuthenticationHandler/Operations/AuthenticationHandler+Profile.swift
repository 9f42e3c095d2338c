import TransactionApproval

/// The status of an account at the verifier.
public struct Profile: Equatable, Sendable {
    public let account: Account
    public let pinPolicy: PINPolicy
    /// The methods that the bank allows and this device has.
    public let authenticationTypes: [AuthenticationType]
    /// Nil if the PIN is not locked.
    public let pinLock: LockEnd?
    /// False while the bank has disabled the PIN.
    public let isPINEnabled: Bool
    /// Whether this account still has the old PIN after an interrupted change; `changePIN`
    /// continues it.
    public let needsPINUpdate: Bool
    /// The verifier's clock minus the clock of this device; zero until the verifier refuses the
    /// clock of this device.
    ///
    /// After the clock is corrected to within 60 seconds, the next refusal sets it to zero again.
    public let clockOffset: Duration
}

extension AuthenticationHandler {
    /// Fetches the status of an account from the verifier and updates the vault.
    ///
    /// With nil as `account`, it uses the first activated account.
    public func profile(
        for account: Account? = nil
    ) async throws(AuthenticationError) -> Profile {
        try await recover()
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
            needsPINUpdate: left.contains(record.device),
            clockOffset: clockOffsets[record.server, default: .zero]
        )
    }
}
