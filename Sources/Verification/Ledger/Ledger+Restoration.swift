import TransactionApproval

extension Ledger {
    /// From here on the store is a copy no more.
    func begin(_ epoch: Epoch) throws(StoreFailure) {
        let old = try state().epoch
        try change(Self.beginEpoch, [SQLValue(epoch.value)])
        try trace(
            .verifier,
            [.integer(1)],
            held: [SQLValue(old.value)],
            holds: [SQLValue(epoch.value)]
        )
    }

    /// Nothing but a restore takes the mark away.
    func markAsCopy() throws(StoreFailure) {
        try change(Self.updateMark, [])
    }

    /// Transactions that have not ended, at most `limit` of them.
    func pendingTransactions(limit: Int) throws(StoreFailure) -> [TransactionID] {
        try connection.rows(Self.selectPendingTransactions, [.integer(Int64(limit))])
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    /// Activations that have not ended, at most `limit` of them.
    func openActivations(limit: Int) throws(StoreFailure) -> [ActivationID] {
        try connection.rows(Self.selectOpenActivations, [.integer(Int64(limit))])
            .map { row throws(StoreFailure) in try row.identifier(0) }
    }

    /// Takes logins away that nobody redeemed yet.
    func deleteOpenLogins() throws(StoreFailure) {
        _ = try connection.run(Self.deleteOpenLogins, [])
    }

    /// The credential of an account with this id, whichever device and kind it is of.
    func credentialState(
        _ id: CredentialID,
        of account: AccountReference
    ) throws(StoreFailure) -> CredentialState? {
        let values: [SQLValue] = .account(account) + [SQLValue(id)]
        guard let row = try row(Self.selectCredential, values) else { return nil }
        return try credentialState(try row.credentialKind(1), on: try row.identifier(0))
    }

    private static let beginEpoch = Statement(
        "UPDATE verifier SET epoch = $1, is_copy = 0 WHERE id = 1 AND epoch < $1"
    )
    private static let updateMark = Statement("UPDATE verifier SET is_copy = 1 WHERE id = 1")
    private static let selectPendingTransactions = Statement(
        "SELECT id FROM transactions WHERE closed IS NULL ORDER BY deadline, id LIMIT $1"
    )
    private static let selectOpenActivations = Statement(
        "SELECT id FROM activations WHERE closed IS NULL ORDER BY deadline, id LIMIT $1"
    )
    private static let deleteOpenLogins = Statement("DELETE FROM logins WHERE redeemed IS NULL")
    private static let selectCredential = Statement(
        """
        SELECT credentials.device, credentials.kind
        FROM devices JOIN credentials ON credentials.device = devices.id
        WHERE devices.enterprise = $1 AND devices.account_type = $2 AND devices.account_id = $3
            AND credentials.id = $4
        """
    )
}
