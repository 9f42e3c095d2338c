import Sealing
import Storage
import TransactionApproval

/// A table with sealed values, which is read in the order of its primary key.
struct SealedTable: Sendable {
    let table: Table
    let column: Column
    let select: PagedStatement
    let count: Statement
    /// Finds a value under a key version below a number.
    let older: Statement
    let replacement: Statement
    let owner: @Sendable (Row) throws(StoreFailure) -> SealOwner
    /// Whether a row may have no value.
    let mayBeEmpty: @Sendable (Row, Ledger) throws(StoreFailure) -> Bool

    fileprivate init(
        table: Table,
        column: Column,
        select: PagedStatement,
        count: Statement,
        replacement: Statement,
        owner: @escaping @Sendable (Row) throws(StoreFailure) -> SealOwner,
        mayBeEmpty: @escaping @Sendable (Row, Ledger) throws(StoreFailure) -> Bool
    ) {
        (self.table, self.column) = (table, column)
        (self.select, self.count, self.replacement) = (select, count, replacement)
        (self.owner, self.mayBeEmpty) = (owner, mayBeEmpty)
        older = Statement("SELECT 1 FROM \(table) WHERE \(below: column) LIMIT 1")
    }
}

extension Column {
    /// Computed: the key version inside a sealed value.
    static let sealedVersion = Column("sealed_version")
}

extension SealedTable {
    static let all = [seeds, codes, numbers, fingerprintKeys]

    private static let seeds = SealedTable(
        table: .credentials,
        column: .seed,
        select: PagedStatement(
            """
            SELECT \(.account + [.publicKey, .tokenSuite], of: .devices),
                \([.device, .kind, .id, .generation, .seed], of: .credentials)
            FROM credentials JOIN devices ON devices.id = credentials.device
            """,
            by: Table.credentials.key,
            of: .credentials
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(seed, 2, 4)"), \(.count, from: "COUNT(*)")
            FROM credentials GROUP BY 1
            """
        ),
        replacement: Statement(
            "UPDATE credentials SET seed = $2 WHERE device = $3 AND kind = $4 AND seed = $1"
        ),
        owner: { row throws(StoreFailure) in try secretOwner(row) },
        mayBeEmpty: { _, _ in false }
    )

    private static func secretOwner(_ row: Row) throws(StoreFailure) -> SealOwner {
        let account = try row.account()
        let credential = CredentialContext(
            enterprise: account.enterprise,
            id: try row.identifier(.id),
            kind: try row.credentialKind(),
            generation: Generation(try row.number(.generation))
        )
        let device: DeviceID = try row.identifier(.device)
        return .secret(of: credential, on: device, try row.deviceKind(), for: account)
    }

    private static let codes = SealedTable(
        table: .activations,
        column: .code,
        select: PagedStatement(
            "SELECT \(.account + [.id, .closed, .code]) FROM activations",
            by: [.id]
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(code, 2, 4)"), \(.count, from: "COUNT(*)")
            FROM activations WHERE code IS NOT NULL GROUP BY 1
            """
        ),
        replacement: Statement("UPDATE activations SET code = $2 WHERE id = $3 AND code = $1"),
        owner: { row throws(StoreFailure) in
            .code(of: try row.identifier(.id), for: try row.account())
        },
        // The code of a closed activation is erased.
        mayBeEmpty: { row, _ throws(StoreFailure) in try !row.isNull(.closed) }
    )

    private static let numbers = SealedTable(
        table: .transactions,
        column: .number,
        select: PagedStatement(
            "SELECT \(.account + [.id, .number]) FROM transactions",
            by: [.id]
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(number, 2, 4)"), \(.count, from: "COUNT(*)")
            FROM transactions WHERE number IS NOT NULL GROUP BY 1
            """
        ),
        replacement: Statement("UPDATE transactions SET number = $2 WHERE id = $3 AND number = $1"),
        owner: { row throws(StoreFailure) in
            .number(of: try row.identifier(.id), for: try row.account())
        },
        // The tag proves whether there is a number.
        mayBeEmpty: { _, _ in true }
    )

    private static let fingerprintKeys = SealedTable(
        table: .verifier,
        column: .fingerprintKey,
        select: PagedStatement(
            "SELECT \([.id, .storeID, .fingerprintKey]) FROM verifier",
            by: [.id]
        ),
        count: Statement(
            """
            SELECT \(.sealedVersion, from: "substr(fingerprint_key, 2, 4)"),
                \(.count, from: "COUNT(*)")
            FROM verifier WHERE fingerprint_key IS NOT NULL GROUP BY 1
            """
        ),
        replacement: Statement(
            "UPDATE verifier SET fingerprint_key = $2 WHERE id = $3 AND fingerprint_key = $1"
        ),
        owner: { row throws(StoreFailure) in .fingerprintKey(of: try row.bytes(.storeID)) },
        mayBeEmpty: { _, ledger throws(StoreFailure) in try !ledger.mustHaveFingerprintKey() }
    )
}
