import TransactionApproval

extension AuthenticationHandler {
    /// Fetches the status of an account from the verifier and updates the vault.
    ///
    /// With nil as `account`, it uses the first of `accounts()`.
    public func profile(
        for account: Account? = nil
    ) async throws(AuthenticationError) -> Profile {
        try await recover { $0.name == account }
        let account = try await currentAccount(account)
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
            needsPINChange: left.contains(record.device),
            clockOffset: clockOffsets[record.server, default: .zero]
        )
    }
}
