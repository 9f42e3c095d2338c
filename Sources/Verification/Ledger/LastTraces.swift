import Storage

/// The last record about each row, in a temporary file: the number of rows is not limited by memory.
struct LastTraces {
    private let connection: SQLiteConnection

    struct Claim {
        let digest: [UInt8]
        /// The number of the audit record.
        let sequence: UInt64
    }

    init() throws(StoreFailure) {
        connection = try .scratch(
            """
            CREATE TABLE traces (
                name BLOB PRIMARY KEY,
                digest BLOB NOT NULL,
                sequence INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
        )
    }

    func put(_ row: TracedRow, _ digest: [UInt8], of sequence: UInt64) throws(StoreFailure) {
        try connection.run(Self.upsert, [.bytes(row.name), .bytes(digest), SQLValue(sequence)])
    }

    func last(of row: TracedRow) throws(StoreFailure) -> Claim? {
        try claim(Self.selectOne, row)
    }

    func count() throws(StoreFailure) -> UInt64 {
        try connection.rows(Self.selectCount).first?.number(.count) ?? 0
    }

    /// Returns the claim about a row, and removes it.
    func take(_ row: TracedRow) throws(StoreFailure) -> Claim? {
        try claim(Self.delete, row)
    }

    private func claim(_ statement: Statement, _ row: TracedRow) throws(StoreFailure) -> Claim? {
        try connection.rows(statement, [.bytes(row.name)]).first
            .map { row throws(StoreFailure) in
                Claim(digest: try row.bytes(.digest), sequence: try row.number(.sequence))
            }
    }

    /// The rows with claims that were not taken, ordered by their parts.
    func remaining(
        after last: TracedRow?,
        limit: Int
    ) throws(StoreFailure) -> [(row: TracedRow, sequence: UInt64)] {
        let values: [SQLValue] = [.bytes(last?.name ?? []), SQLValue(limit)]
        return try connection.rows(Self.select, values).map { row throws(StoreFailure) in
            guard let traced = TracedRow(name: try row.bytes(.name)) else { throw .damaged }
            return (traced, try row.number(.sequence))
        }
    }

    private static let upsert = Statement(
        """
        INSERT INTO traces (name, digest, sequence) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, sequence = excluded.sequence
        """
    )
    private static let selectOne = Statement(
        "SELECT \([.digest, .sequence]) FROM traces WHERE name = $1"
    )
    private static let selectCount = Statement("SELECT \(.count, from: "COUNT(*)") FROM traces")
    private static let delete = Statement(
        "DELETE FROM traces WHERE name = $1 RETURNING \([.digest, .sequence])"
    )
    private static let select = Statement(
        "SELECT \([.name, .sequence]) FROM traces \(after: [.name])"
    )
}
