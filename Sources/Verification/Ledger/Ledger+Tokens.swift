import OneTimePassword
import TransactionApproval

extension Ledger {
    /// Tokens that count, of accounts of one type, in the order of their names; at most `limit`.
    ///
    /// Without those of which it is not known, since a restore, how far they have counted.
    func countingTokens(
        of type: AccountType,
        in enterprise: EnterpriseID,
        confirmedIn epoch: Epoch,
        limit: Int
    ) throws(StoreFailure) -> [CredentialState] {
        let rows = try connection.rows(
            Self.selectTokens,
            [
                SQLValue(enterprise), SQLValue(type), SQLValue(epoch.value), .integer(Int64(limit)),
            ]
        )
        return try rows.map { row throws(StoreFailure) in
            guard let state = try typedCredentialState(on: try row.identifier(0)) else {
                throw .damaged
            }
            return state
        }
    }

    private static let selectTokens = Statement(
        """
        SELECT devices.id
        FROM devices JOIN credentials ON credentials.device = devices.id
        WHERE devices.enterprise = $1 AND devices.account_type = $2
            AND devices.token IS NOT NULL AND devices.standing = 1
            AND credentials.confirmed_in = $3
        ORDER BY devices.account_id, devices.id LIMIT $4
        """
    )
}
