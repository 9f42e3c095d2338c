package import Storage
import Verification

/// The tables of tests: the count of each caller, and blocks that use space.
package let tallyMigrations = [
    Migration { dialect in
        """
        CREATE TABLE tally (
            caller \(dialect.integer) PRIMARY KEY,
            count \(dialect.integer) NOT NULL
        ) \(dialect.tableOptions);
        CREATE TABLE block (
            id \(dialect.integer) PRIMARY KEY,
            bytes \(dialect.bytes) NOT NULL
        ) \(dialect.tableOptions);
        """
    }
]

/// The same migrations, and one whose duration grows with the number of rows.
package func longMigrations(rowCount: Int) -> [Migration] {
    tallyMigrations + [
        Migration { dialect in
            """
            CREATE TABLE long (
                id \(dialect.integer) PRIMARY KEY,
                name TEXT NOT NULL
            ) \(dialect.tableOptions);
            WITH RECURSIVE number (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rowCount)
            )
            INSERT INTO long SELECT n, 'the row of the number ' || n FROM number;
            """
        }
    ]
}

package enum Tally {
    private static let increment = Statement(
        """
        INSERT INTO tally (caller, count) VALUES ($1, 1)
        ON CONFLICT (caller) DO UPDATE SET count = tally.count + 1 RETURNING count
        """
    )
    private static let counts = Statement("SELECT caller, count FROM tally")
    private static let enlarge = Statement("INSERT INTO block (bytes) VALUES ($1)")
    private static let blockCount = Statement("SELECT count(*) FROM block")

    @Sendable
    package static func increment(
        _ caller: Int64,
        on connection: any SQLConnection
    ) throws(StoreFailure) -> Int64 {
        try connection.rows(increment, [.integer(caller)])[0].values[0].integer
    }

    @Sendable
    package static func counts(
        on connection: any SQLConnection
    ) throws(StoreFailure) -> [Int64: Int64] {
        var found: [Int64: Int64] = [:]
        for row in try connection.rows(counts, []) {
            found[try row.values[0].integer] = try row.values[1].integer
        }
        return found
    }

    package static func enlarge(
        by byteCount: Int,
        on connection: any SQLConnection
    ) throws(StoreFailure) {
        let bytes = [UInt8](repeating: 0x5a, count: byteCount)
        try connection.run(enlarge, [.bytes(bytes)])
    }

    @Sendable
    package static func blockCount(on connection: any SQLConnection) throws(StoreFailure) -> Int64 {
        try connection.rows(blockCount, [])[0].values[0].integer
    }
}
