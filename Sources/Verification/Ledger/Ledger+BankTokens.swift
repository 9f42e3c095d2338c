import Cryptography
import TransactionApproval

extension Ledger {
    func bankToken(_ id: BankTokenID) throws(StoreFailure) -> BankToken? {
        try row(Self.selectToken, [SQLValue(id)])
            .map { row throws(StoreFailure) in try BankToken(row) }
    }

    func bankToken(named name: BankTokenName) throws(StoreFailure) -> BankToken? {
        try row(Self.selectNamed, [SQLValue(name)])
            .map { row throws(StoreFailure) in try BankToken(row) }
    }

    /// In the order of their names, those that are good for nothing any more among them.
    package func bankTokens() throws(StoreFailure) -> [BankToken] {
        try connection.rows(Self.selectAll, [])
            .map { row throws(StoreFailure) in try BankToken(row) }
    }

    func add(_ token: BankToken) throws(StoreFailure) {
        try change(Self.insertToken, [SQLValue(token.id)] + token.stored)
        try trace(.bankToken, [SQLValue(token.id)], holds: token.stored)
    }

    func save(_ new: BankToken, replacing old: BankToken) throws(StoreFailure) {
        try change(Self.revokeToken, [SQLValue(new.id), SQLValue(new.revoked)])
        try trace(.bankToken, [SQLValue(new.id)], held: old.stored, holds: new.stored)
    }

    private static let selectToken = Statement(
        """
        SELECT id, secret_digest, name, enterprise, role, created, expiry, revoked
        FROM bank_tokens WHERE id = $1
        """
    )
    private static let selectNamed = Statement(
        """
        SELECT id, secret_digest, name, enterprise, role, created, expiry, revoked
        FROM bank_tokens WHERE name = $1
        """
    )
    private static let selectAll = Statement(
        """
        SELECT id, secret_digest, name, enterprise, role, created, expiry, revoked
        FROM bank_tokens ORDER BY name
        """
    )
    private static let insertToken = Statement(
        """
        INSERT INTO bank_tokens (id, secret_digest, name, enterprise, role, created, expiry,
            revoked)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """
    )
    private static let revokeToken = Statement(
        "UPDATE bank_tokens SET revoked = $2 WHERE id = $1 AND revoked IS NULL"
    )
}

extension BankToken {
    fileprivate init(_ row: Row) throws(StoreFailure) {
        let isForAll = try row.optionalText(3) == nil
        guard
            let secretDigest = Digest(sha256: try row.bytes(1)),
            let role = Role(rawValue: try row.text(4))
        else { throw .damaged }
        self.init(
            id: try row.identifier(0),
            secretDigest: secretDigest,
            name: try row.identifier(2),
            reach: isForAll ? .all : .enterprise(try row.identifier(3)),
            role: role,
            created: try row.moment(5),
            expiry: try row.moment(6),
            revoked: try row.optionalMoment(7)
        )
    }

    fileprivate var stored: [SQLValue] {
        [
            .bytes(secretDigest.array), SQLValue(name), reach.stored, .text(role.rawValue),
            SQLValue(created), SQLValue(expiry), SQLValue(revoked),
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
