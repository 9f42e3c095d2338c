import Storage
import TransactionApproval

extension Ledger {
    /// Begins an epoch.
    ///
    /// From then on the store is not a backup.
    func begin(_ epoch: Epoch) throws(StoreFailure) {
        let key: NamedValues = [.id: .integer(1)]
        var state = try state()
        let old = key + [.epoch: SQLValue(state.epoch.value)]
        state.epoch = epoch
        state.isBackup = false
        try save(state, by: Self.beginEpoch)
        try trace(.verifier, held: old, holds: key + [.epoch: SQLValue(epoch.value)])
    }

    /// Marks a backup.
    ///
    /// Only a restore removes the mark.
    func markAsBackup() throws(StoreFailure) {
        try connection.change(Self.markAsBackup, [:])
    }

    func deleteOpenLogins() throws(StoreFailure) {
        try connection.change(Self.deleteOpenLogins, [], rowCount: nil)
    }

    /// The credentials with this id on all devices of an account, of any kind.
    ///
    /// Devices choose the ids of biometric credentials. So there can be more than one after the
    /// replacement of an account, or in a store of an earlier version.
    func credentialStates(
        withID id: CredentialID,
        of account: AccountReference
    ) throws(StoreFailure) -> [CredentialState] {
        let values: [SQLValue] = .account(account) + [SQLValue(id)]
        return try connection.rows(Self.selectCredentials, values).map {
            row throws(StoreFailure) in
            let key = [try row[.device], try row[.kind]]
            let (kind, device) = try reading(row, of: .credentials, key) {
                row throws(StoreFailure) -> (CredentialKind, DeviceID) in
                (try row.credentialKind(), try row.identifier(.device))
            }
            guard
                let state = try credentialState(kind, on: device),
                state.device.account == account, state.credential.id == id
            else { throw .forged(row: Table.credentials.description(of: key)) }
            return state
        }
    }

    private static let beginEpoch = Statement(
        """
        UPDATE verifier SET \(set: [.epoch, .isBackup, .restoreID, .tag])
        WHERE id = 1 AND epoch < \(valueOf: .epoch)
        """
    )
    private static let markAsBackup = Statement("UPDATE verifier SET is_backup = 1 WHERE id = 1")
    private static let deleteOpenLogins = Statement("DELETE FROM logins WHERE redeemed IS NULL")
    private static let selectCredentials = Statement(
        """
        SELECT \([.device, .kind], of: .credentials)
        FROM devices JOIN credentials ON credentials.device = devices.id
        WHERE devices.enterprise = $1 AND devices.account_type = $2 AND devices.account_id = $3
            AND credentials.id = $4
        """
    )
}
