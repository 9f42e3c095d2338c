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
            switch change.outcome {
            case .changed: show("\(change.account) has the new PIN.")
            case .failed(let error): show("\(change.account) still has the old PIN. \(error)")
            case .unknown(let error): show("The PIN of \(change.account) is unknown. \(error)")
            case .notTried: show("\(change.account) still has the old PIN.")
            }
        }
    }

    func showPINStatus(of account: Account) async throws(AuthenticationError) {
        let profile = try await handler.profile(for: account)
        if profile.needsPINUpdate { show("\(account) still has the old PIN.") }
    }
}
