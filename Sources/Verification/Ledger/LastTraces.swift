/// What the last record about each row says of it, however many rows there are.
struct LastTraces {
    private let connection: SQLiteConnection

    struct Claim {
        let digest: [UInt8]
        /// Of the record that says so.
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

    func put(
        _ row: TracedRow,
        _ digest: [UInt8],
        of sequence: UInt64
    ) throws(StoreFailure) {
        try connection.run(
            Self.upsert,
            [.bytes(row.name), .bytes(digest), SQLValue(sequence)]
        )
    }

    func last(of row: TracedRow) throws(StoreFailure) -> Claim? {
        try claim(Self.selectOne, row)
    }

    func count() throws(StoreFailure) -> UInt64 {
        try connection.rows(Self.selectCount, []).first?.number(0) ?? 0
    }

    /// Gives what is claimed of a row, once.
    func take(_ row: TracedRow) throws(StoreFailure) -> Claim? {
        try claim(Self.delete, row)
    }

    private func claim(
        _ statement: Statement,
        _ row: TracedRow
    ) throws(StoreFailure) -> Claim? {
        try connection.rows(statement, [.bytes(row.name)]).first
            .map { row throws(StoreFailure) in
                Claim(digest: try row.bytes(0), sequence: try row.number(1))
            }
    }

    /// The rows that nothing was taken of, in the order of their parts.
    func rest(
        after last: TracedRow?,
        limit: Int
    ) throws(StoreFailure) -> [(row: TracedRow, sequence: UInt64)] {
        let values: [SQLValue] = [.bytes(last?.name ?? []), .integer(Int64(limit))]
        return try connection.rows(Self.select, values).map { row throws(StoreFailure) in
            guard let traced = TracedRow(name: try row.bytes(0)) else { throw .damaged }
            return (traced, try row.number(1))
        }
    }

    private static let upsert = Statement(
        """
        INSERT INTO traces (name, digest, sequence) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, sequence = excluded.sequence
        """
    )
    private static let selectOne = Statement(
        "SELECT digest, sequence FROM traces WHERE name = $1"
    )
    private static let selectCount = Statement("SELECT COUNT(*) FROM traces")
    private static let delete = Statement(
        "DELETE FROM traces WHERE name = $1 RETURNING digest, sequence"
    )
    private static let select = Statement(
        "SELECT name, sequence FROM traces WHERE name > $1 ORDER BY name LIMIT $2"
    )
}
