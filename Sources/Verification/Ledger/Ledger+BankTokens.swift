import Cryptography
package import Storage
import TransactionApproval

extension Ledger {
    func bankToken(_ id: BankTokenID) throws(StoreFailure) -> BankToken? {
        try row(Self.query(of: id)).map(token(_:))
    }

    static func query(of token: BankTokenID) -> Query { Query(selectToken, [SQLValue(token)]) }

    func bankToken(named name: BankTokenName) throws(StoreFailure) -> BankToken? {
        try row(Self.selectNamed, [SQLValue(name)]).map(token(_:))
    }

    /// All tokens by name, including expired and revoked ones, without forged rows.
    package func bankTokens() throws(StoreFailure) -> [BankToken] {
        try rows(Self.selectAll, []) { row throws(StoreFailure) in
            try skippingForged { () throws(StoreFailure) in try token(row) }
        }.compactMap { $0 }
    }

    func add(_ token: BankToken) throws(StoreFailure) {
        try add(token.stored, .bankToken)
    }

    func save(_ token: BankToken) throws(StoreFailure) {
        try update(token.stored, .bankToken, by: Self.revokeToken)
    }

    private func token(_ row: Row) throws(StoreFailure) -> BankToken {
        try check(.bankToken, in: row, key: try row[Table.bankTokens.key])
        return try BankToken(row)
    }

    private static let selectToken = Statement(
        "SELECT \(Table.bankTokens.columns) FROM bank_tokens WHERE \(match: [.id])"
    )
    private static let selectNamed = Statement(
        "SELECT \(Table.bankTokens.columns) FROM bank_tokens WHERE \(match: [.name])"
    )
    private static let selectAll = Statement(
        "SELECT \(Table.bankTokens.columns) FROM bank_tokens ORDER BY name"
    )
    private static let revokeToken = Statement(
        "UPDATE bank_tokens SET \(set: [.revoked, .tag]) WHERE \(match: [.id]) AND revoked IS NULL"
    )
}

extension BankToken {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        guard
            let secretDigest = Digest(sha256: try row.bytes(.secretDigest)),
            let role = Role(rawValue: try row.text(.role))
        else { throw .damaged }
        self.init(
            id: try row.identifier(.id),
            secretDigest: secretDigest,
            name: try row.identifier(.name),
            reach: try row.isNull(.enterprise)
                ? .all : .enterprise(try row.identifier(.enterprise)),
            role: role,
            created: try row.moment(.created),
            expiry: try row.moment(.expiry),
            revoked: try row.optionalMoment(.revoked)
        )
    }

    fileprivate var stored: NamedValues {
        [
            .id: SQLValue(id), .secretDigest: .bytes(secretDigest.array), .name: SQLValue(name),
            .enterprise: reach.stored, .role: .text(role.rawValue), .created: SQLValue(created),
            .expiry: SQLValue(expiry), .revoked: SQLValue(revoked),
        ]
    }
}

extension BankToken.Reach {
    fileprivate var stored: SQLValue {
        switch self {
        case .enterprise(let enterprise): SQLValue(enterprise)
        case .all: .null
        }
    }
}
