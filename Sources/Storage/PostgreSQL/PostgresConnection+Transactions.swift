import FailureTranslation

/// The engine's own tables, and the statements about transactions.
///
/// `countersign_store` has one row. A writer locks it first and keeps the lock to the end, so one
/// transaction at a time writes, as in SQLite. The audit trail requires that anyway: each record
/// contains the hash of the record before. With the lock taken first, a group of jobs shares one
/// commit, and rules need not consider concurrent writers.
///
/// `countersign_commits` contains the last commit of each writer. A lost connection leaves unknown
/// whether its transaction was committed. The holder of the lock on `countersign_store` knows that
/// the transaction has ended, and reads the result here.
///
/// A killed writer leaves its row. When another writer registers, all but the newest rows are
/// removed. A writer registers in a transaction of its own before its first job, so a missing row
/// means "removed", never "not committed". A writer that must know the result then reports
/// `uncertain`; otherwise it registers again. This happens only to a writer that lost its connection
/// before a large number of others registered.
///
/// The SQL here and in the `Ledger` uses only constructs that PostgreSQL and the distributed
/// engines with its protocol support. The page "Several nodes" gives the reason for each construct
/// and the differences between engines; a test compares the statements with it.
enum PostgresTables {
    /// The table with the version.
    static let store = "countersign_store"
    /// The table with the last commit of each writer.
    static let commits = "countersign_commits"

    static func creation(version: Int) -> String {
        """
        CREATE TABLE countersign_store (
            id BIGINT PRIMARY KEY CHECK (id = 1),
            version BIGINT NOT NULL
        );
        CREATE TABLE countersign_commits (
            writer TEXT PRIMARY KEY,
            place BIGINT NOT NULL,
            number BIGINT NOT NULL
        );
        INSERT INTO countersign_store (id, version) VALUES (1, \(version));
        """
    }

    static let version = Statement("SELECT version FROM countersign_store WHERE id = 1")

    static let versionForWriting = Statement(
        "SELECT version FROM countersign_store WHERE id = 1 FOR UPDATE"
    )

    static func setVersion(_ version: Int) -> String {
        "UPDATE countersign_store SET version = \(version) WHERE id = 1"
    }
}

/// Names one transaction of one writer, in letters and digits that the program chose.
struct CommitMarker {
    let writer: String
    var number: Int64 = 0

    var update: String {
        "UPDATE countersign_commits SET number = \(number) WHERE writer = '\(writer)'"
    }

    /// Adds the writer at the end, and removes the oldest ones.
    var insertion: String {
        """
        INSERT INTO countersign_commits (writer, place, number)
            SELECT '\(writer)', coalesce(max(place), 0) + 1, 0 FROM countersign_commits;
        DELETE FROM countersign_commits
            WHERE place <= (SELECT max(place) FROM countersign_commits) - \(Self.maximumWriters)
        """
    }

    /// Far more than can be running.
    private static let maximumWriters = 1000

    var deletion: String {
        "DELETE FROM countersign_commits WHERE writer = '\(writer)'"
    }
}

extension Statement {
    /// `READ WRITE` would override an operator who stops writes.
    fileprivate static let beginWriting = Statement("BEGIN ISOLATION LEVEL READ COMMITTED")
    fileprivate static let lastCommit = Statement(
        "SELECT number FROM countersign_commits WHERE writer = $1"
    )
    fileprivate static let beginReading = Statement(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    )
}

extension PostgresConnection {
    /// Waits for the write lock, and returns the last number that the writer of `marker` committed.
    ///
    /// Returns nil if the writer is not registered, or no longer. The queries are sent together with
    /// the begin. Each statement sees what was committed before it began, and all after the second
    /// one begin when the writer has the lock.
    func beginWriting(
        _ marker: CommitMarker,
        version: Int,
        prefetching queries: [Query]
    ) throws(PostgresFailure) -> Int64? {
        (shared, firstFailure, prefetched) = (nil, nil, PrefetchedResults())
        isScanning = false
        let results = try translating(
            send(
                [
                    SentStatement(statement: .beginWriting, expected: .rowCount(nil)),
                    SentStatement(
                        statement: PostgresTables.versionForWriting,
                        expected: .version(version)
                    ),
                    SentStatement(
                        statement: .lastCommit,
                        values: [.text(marker.writer)],
                        expected: .rowCount(nil)
                    ),
                ],
                thenPrefetching: queries
            ),
            to: \PostgresFailure.ofWriter
        )
        return results[2].binaryNumber
    }

    /// Sends the begin together with the first statement of the job.
    func beginReading(version: Int) throws(PostgresFailure) {
        isScanning = false
        try send(.beginReading, expecting: .rowCount(nil))
        try send(PostgresTables.version, expecting: .version(version))
        shared = nil
    }

    /// Raises the limits of the transaction.
    ///
    /// A scan may take longer, and may pause: an audit compares rows with a file. Without its limits, the
    /// transaction of a node that lost its network would keep its snapshot and its locks for hours.
    func beginScan() throws(PostgresFailure) {
        _ = try execute(Self.settingsOfScan)
        isScanning = true
    }

    private static let settingsOfScan =
        """
        SET LOCAL statement_timeout = \(scanTimeout.inMilliseconds);
        SET LOCAL idle_in_transaction_session_timeout = \(scanTimeout.inMilliseconds)
        """

    /// Another process may have migrated the tables in the meantime.
    func check(_ found: Int64?, _ version: Int) throws(PostgresFailure) {
        guard let found else { throw .refused(.damaged) }
        if found > version { throw .refused(.newer(version: Int(found))) }
        if found < version { throw .refused(.older(version: Int(found))) }
    }

    func commit(after statement: String = "") throws(PostgresFailure) {
        let results = try commitWithoutWarnings("\(statement); COMMIT")
        // PostgreSQL returns ROLLBACK for the commit of a failed transaction.
        guard results.last?.tag == "COMMIT" else { throw .refused(.misuse) }
    }

    func rollBack() throws(PostgresFailure) {
        isScanning = false
        firstFailure = nil
        shared = nil
        prefetched = PrefetchedResults()
        do throws(PostgresFailure) {
            try readResults()
        } catch {
            // The changes are undone, so only the connection matters.
            guard error.kind != .lost else { throw error }
        }
        guard !isIdle, !isRollingBack else { return }
        _ = try execute("ROLLBACK")
    }
}
