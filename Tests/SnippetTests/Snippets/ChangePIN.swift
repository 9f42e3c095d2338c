import AuthenticationHandler

extension App {
    func changePIN(from old: [UInt8], to new: [UInt8]) async throws(AuthenticationError) {
        let changes = try await handler.changePIN(
            from: PIN(copying: old.span),
            to: PIN(copying: new.span)
        )
        for change in changes {
            if let failure = change.failure {
                show("\(change.account) still has the old PIN. \(failure)")
            }
        }
    }

    func tellPIN(of account: Account) async throws(AuthenticationError) {
        let profile = try await handler.getProfileInfo(for: account)
        if profile.needsPINUpdate { show("\(account) still has the old PIN.") }
    }
}
