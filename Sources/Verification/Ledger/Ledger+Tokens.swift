import OneTimePassword
import Storage
import TransactionApproval

extension Ledger {
    /// Counter-based tokens of accounts of one type, by account.
    ///
    /// Tokens with a counter that is unknown since a restore are not included.
    func countingTokens(
        of type: AccountType,
        in enterprise: EnterpriseID,
        confirmedIn epoch: Epoch,
        limit: Int
    ) throws(StoreFailure) -> [CredentialState] {
        let values = [SQLValue(enterprise), SQLValue(type), SQLValue(epoch.value), SQLValue(limit)]
        return try rows(Self.selectTokens, values) { row throws(StoreFailure) in
            let id: DeviceID = try row.identifier(.id)
            guard let state = try typedCredentialState(on: id) else { throw .damaged }
            let account = state.device.account
            guard account.enterprise == enterprise, account.key.type == type else {
                throw .forged(row: Table.devices.description(of: [SQLValue(id)]))
            }
            return state
        }
    }

    private static let selectTokens = Statement(
        """
        SELECT \([.id], of: .devices)
        FROM devices JOIN credentials ON credentials.device = devices.id
        WHERE devices.enterprise = $1 AND devices.account_type = $2
            AND devices.token_suite IS NOT NULL AND devices.status = \(Device.Status.active)
            AND credentials.confirmed_epoch = $3
        ORDER BY devices.account_id, devices.id LIMIT $4
        """
    )
}
