import AuthenticationHandler

extension App {
    func changePIN(
        from oldDigits: [UInt8],
        to newDigits: [UInt8]
    ) async throws(AuthenticationError) {
        let new = try PIN(copying: newDigits.span)
        try await handler.checkNewPIN(new)
        let changes = try await handler.changePIN(from: PIN(copying: oldDigits.span), to: new)
        for change in changes {
            if let failure = change.failure {
                show("\(change.account) still has the old PIN. \(failure)")
            }
        }
    }

    func showPINStatus(of account: Account) async throws(AuthenticationError) {
        let profile = try await handler.profile(for: account)
        if profile.needsPINUpdate { show("\(account) still has the old PIN.") }
    }
}
