package import TransactionApproval

extension Ledger {
    package func login(_ id: TransactionID) throws(StoreFailure) -> LoginGrant? {
        guard let row = try row(Self.selectLogin, [SQLValue(id)]) else { return nil }
        guard let type = AuthenticationType(rawValue: try row.text(4)) else { throw .damaged }
        return LoginGrant(
            id: id,
            account: try row.account(0),
            device: try row.identifier(3),
            type: type,
            dataDigest: try row.bytes(5),
            granted: try row.moment(6),
            redeemed: try row.optionalMoment(7)
        )
    }

    package func add(_ grant: LoginGrant) throws(StoreFailure) {
        try change(Self.insertLogin, [SQLValue(grant.id)] + grant.lasting)
        try trace(.login, [SQLValue(grant.id)], holds: grant.traced)
    }

    package func save(_ grant: LoginGrant, replacing old: LoginGrant) throws(StoreFailure) {
        try change(Self.redeemLogin, [SQLValue(grant.id), SQLValue(grant.redeemed)])
        try trace(.login, [SQLValue(grant.id)], held: old.traced, holds: grant.traced)
    }

    private static let selectLogin = Statement(
        """
        SELECT enterprise, account_type, account_id, device, type, data_digest, granted, redeemed
        FROM logins WHERE id = $1
        """
    )
    private static let insertLogin = Statement(
        """
        INSERT INTO logins (id, enterprise, account_type, account_id, device, type, data_digest,
            granted)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """
    )
    private static let redeemLogin = Statement(
        "UPDATE logins SET redeemed = $2 WHERE id = $1 AND redeemed IS NULL"
    )
}

extension LoginGrant {
    fileprivate var traced: [SQLValue] { lasting + [SQLValue(redeemed)] }

    fileprivate var lasting: [SQLValue] {
        .account(account) + [
            SQLValue(device), .text(type.rawValue), .bytes(dataDigest), SQLValue(granted),
        ]
    }
}
