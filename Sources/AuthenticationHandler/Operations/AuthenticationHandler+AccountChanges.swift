import TransactionApproval

extension AuthenticationHandler {
    /// The recent changes of all accounts that the bank or other devices made, the newest first.
    ///
    /// Show them to the person: a new device or a changed PIN that the person does not know is the
    /// work of a thief. The verifier signs the list, so the network cannot forge a change. An
    /// unreachable verifier does not hide the changes of others.
    public func accountChanges() async throws(AuthenticationError) -> [AccountChange] {
        try await recover()
        var changes: [AccountChange] = []
        var failure: AuthenticationError?
        for account in try someAccounts() {
            do throws(AuthenticationError) {
                let peer = try Peer(account)
                let list = try await send(AccountChangesExchange.self, NoContent(), by: peer)
                let name = account.record.name
                changes += list.changes.map { AccountChange($0, of: name) }
            } catch {
                failure = error
            }
        }
        if changes.isEmpty, let failure { throw failure }
        return changes.sorted { $0.moment > $1.moment }
    }

    /// Whether a notification announces a change of an account; then call `accountChanges()`.
    ///
    /// Every other notification is for `pendingTransaction(push:)`.
    public static func announcesAccountChange(push payload: [UInt8]) -> Bool {
        // Any other payload is of another kind: `try?`.
        (try? AccountChangeHint(reading: payload)) != nil
    }
}

extension AccountChange {
    fileprivate init(_ change: AccountChangesExchange.Change, of account: Account) {
        self.init(
            account: account,
            kind: change.kind,
            moment: change.moment,
            deviceName: change.deviceName?.text
        )
    }
}
