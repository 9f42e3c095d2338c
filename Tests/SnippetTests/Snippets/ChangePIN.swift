import AuthenticationHandler

extension App {
    func changePIN(
        from oldDigits: inout [UInt8],
        to newDigits: inout [UInt8]
    ) async throws(AuthenticationError) {
        let new = try PIN(wiping: &newDigits)
        try await handler.checkNewPIN(new)
        var repeatedDigits = await ask("the new PIN again")
        guard try new.matches(PIN(wiping: &repeatedDigits)) else {
            show("The two PINs are not the same.")
            return
        }
        let changes = try await handler.changePIN(from: PIN(wiping: &oldDigits), to: new)
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
        if profile.needsPINChange { show("\(account) still has the old PIN.") }
    }
}
