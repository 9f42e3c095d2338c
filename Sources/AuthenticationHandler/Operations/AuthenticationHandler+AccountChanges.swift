import TransactionApproval

extension AuthenticationHandler {
    /// The recent changes of all accounts that the bank or other devices made.
    ///
    /// Show them to the person: a new device or a changed PIN that the person does not know is the
    /// work of a thief. The verifier signs the list, so the network cannot forge a change. If a
    /// verifier is unreachable, the result has the changes of the other accounts, and the failure.
    /// Throws if the changes of every account are unknown.
    public func accountChanges() async throws(AuthenticationError) -> AccountChanges {
        try await recover()
        let accounts = try someAccounts()
        var changes: Set<AccountChange> = []
        var failures: [Account: AuthenticationError] = [:]
        for account in accounts {
            do throws(AuthenticationError) {
                let peer = try Peer(account)
                let list = try await send(AccountChangesExchange.self, NoContent(), by: peer)
                let record = try await namedRecord(of: account, for: list.changes)
                // Linked accounts list the same changes.
                changes.formUnion(list.changes.map { AccountChange($0, of: record) })
            } catch {
                guard failures.count + 1 < accounts.count else { throw error }
                failures[account.record.name] = error
            }
        }
        return AccountChanges(
            changes: changes.sorted { ($0.moment, $0.order) > ($1.moment, $1.order) },
            failures: failures
        )
    }

    /// The record with the current name, if a change has no other name.
    ///
    /// The bank may have replaced the account since the device last fetched its status.
    private func namedRecord(
        of account: OpenAccount,
        for changes: [AccountChangesExchange.Change]
    ) async throws(AuthenticationError) -> AccountRecord {
        guard changes.contains(where: { $0.account == nil }) else { return account.record }
        try await refresh(account)
        return try self.account(account.record.device).record
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
    fileprivate init(_ change: AccountChangesExchange.Change, of record: AccountRecord) {
        self.init(
            account: Account(record.enterprise, change.account ?? record.account),
            kind: change.kind,
            moment: change.moment,
            deviceName: change.deviceName?.text
        )
    }

    /// Of changes at the same moment.
    fileprivate var order: String { "\(account) \(kind) \(deviceName ?? "")" }
}
