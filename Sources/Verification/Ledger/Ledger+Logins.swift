package import Storage
package import TransactionApproval

extension Ledger {
    package func login(_ id: TransactionID) throws(StoreFailure) -> LoginGrant? {
        guard let row = try row(Self.selectLogin, [SQLValue(id)]) else { return nil }
        try check(.login, in: row, key: [SQLValue(id)])
        guard let type = AuthenticationType(rawValue: try row.text(.type)) else { throw .damaged }
        return LoginGrant(
            id: id,
            account: try row.account(),
            device: try row.identifier(.device),
            type: type,
            dataDigest: try row.bytes(.dataDigest),
            granted: try row.moment(.granted),
            redeemed: try row.optionalMoment(.redeemed)
        )
    }

    package func add(_ grant: LoginGrant) throws(StoreFailure) {
        try add(grant.stored, .login)
    }

    package func save(_ grant: LoginGrant) throws(StoreFailure) {
        try update(grant.stored, .login, by: Self.redeemLogin)
    }

    private static let selectLogin = Statement(
        "SELECT \(Table.logins.values) FROM logins WHERE id = $1"
    )
    private static let redeemLogin = Statement(
        "UPDATE logins SET \(set: [.redeemed, .tag]) WHERE \(match: [.id]) AND redeemed IS NULL"
    )
}

extension LoginGrant {
    fileprivate var stored: NamedValues {
        .account(account) + [
            .id: SQLValue(id), .device: SQLValue(device), .type: .text(type.rawValue),
            .dataDigest: .bytes(dataDigest), .granted: SQLValue(granted),
            .redeemed: SQLValue(redeemed),
        ]
    }
}
