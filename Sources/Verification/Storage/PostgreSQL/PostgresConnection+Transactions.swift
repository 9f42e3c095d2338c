/// The engine's own tables, and what is asked of them in each transaction.
///
/// `countersign_store` is one row: whoever writes locks it first and holds it to the end, so that
/// one transaction at a time writes, as in SQLite. The audit trail forces that anyway, since each
/// record holds the hash of the one before; locked first, it lets a group of works share one commit,
/// and rules need no thought for others that write beside them.
///
/// `countersign_commits` tells each writer what it committed last. A lost connection leaves open
/// whether its transaction was committed; who then holds the lock on `countersign_store` knows that
/// it has ended, and reads here how.
///
/// A writer that is killed leaves its row. When another enters, all but the newest are removed, and
/// nobody is misled by that, whenever it happens and however long somebody slept: a writer enters
/// itself in a transaction of its own before its first work, so a row that is not there was removed.
/// It never means that a transaction was not committed, but that nobody knows any more, which is
/// what callers are told; who asks nothing enters itself again. Only a writer that lost a connection
/// after so many others had entered ever finds that.
///
/// What is used of SQL, here and in the `Ledger`, is what PostgreSQL's own language has and engines
/// that speak its protocol over many machines have too. The article "Several nodes" says why of each
/// construct, and where such engines differ; a test holds the statements to it.
enum PostgresTables {
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

    static let version = "SELECT version FROM countersign_store WHERE id = 1"
    static let versionForWriting = version + " FOR UPDATE"

    static func setVersion(_ version: Int) -> String {
        "UPDATE countersign_store SET version = \(version) WHERE id = 1"
    }
}

/// Names one transaction of one writer, in the program's own letters and digits.
struct CommitMarker {
    let writer: String
    var number: Int64 = 0

    fileprivate var selection: String {
        "SELECT number FROM countersign_commits WHERE writer = '\(writer)'"
    }

    fileprivate var update: String {
        "UPDATE countersign_commits SET number = \(number) WHERE writer = '\(writer)'"
    }

    /// At the last place; of those before it, the oldest go.
    fileprivate var insertion: String {
        """
        INSERT INTO countersign_commits (writer, place, number)
            SELECT '\(writer)', coalesce(max(place), 0) + 1, 0 FROM countersign_commits;
        DELETE FROM countersign_commits
            WHERE place <= (SELECT max(place) FROM countersign_commits) - \(Self.maximumWriters)
        """
    }

    /// Many more than ever are alive.
    private static let maximumWriters = 1000

    fileprivate var deletion: String {
        "DELETE FROM countersign_commits WHERE writer = '\(writer)'"
    }
}

extension PostgresConnection {
    /// Begins to write when no other does, and gives the number that the writer of `marker` committed
    /// last; nil where it is not entered, or not any more.
    func beginWriting(_ marker: CommitMarker, version: Int) throws(PostgresFailure) -> Int64? {
        // Each statement sees what was committed before it began: the second must not be part of
        // the first, which began before the lock was free.
        let answers = try inWritableSession { () throws(PostgresFailure) in
            try execute(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED;
                \(PostgresTables.versionForWriting);
                \(marker.selection)
                """
            )
        }
        try check(answers[1].number, version)
        return answers[2].number
    }

    /// A session that takes no writes any more, as after a switch of primaries, is as good as lost:
    /// the one that is opened next leads to who takes them.
    ///
    /// `READ WRITE` in a `BEGIN` would overrule the operator who stops writes.
    private func inWritableSession<Outcome>(
        _ body: () throws(PostgresFailure) -> Outcome
    ) throws(PostgresFailure) -> Outcome {
        do throws(PostgresFailure) {
            return try body()
        } catch {
            throw error == .readOnly ? .lost : error
        }
    }

    func beginReading(version: Int) throws(PostgresFailure) {
        let answers = try execute(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(PostgresTables.version)"
        )
        // What is read of a server that another took over from would be older and older.
        guard !isDemoted else { throw .lost }
        try check(answers[1].number, version)
    }

    /// Another process may have moved the tables on since they were last looked at.
    private func check(_ found: Int64?, _ version: Int) throws(PostgresFailure) {
        guard let found else { throw .refused(.damaged) }
        if found > version { throw .refused(.newer(version: Int(found))) }
        if found < version { throw .refused(.older(version: Int(found))) }
    }

    func commit(_ marker: CommitMarker) throws(PostgresFailure) {
        try commit(after: marker.update)
    }

    func commit(after statement: String = "") throws(PostgresFailure) {
        let answers = try execute("\(statement); COMMIT")
        // To commit what had failed is to roll it back.
        guard answers.last?.tag == "COMMIT" else { throw .refused(.misuse) }
    }

    /// Ends the transaction: what is written under `marker` comes in another one.
    func enter(_ marker: CommitMarker) throws(PostgresFailure) {
        try commit(after: marker.insertion)
    }

    func forget(_ marker: CommitMarker) throws(PostgresFailure) {
        _ = try execute(marker.deletion)
    }

    func rollBack() throws(PostgresFailure) {
        trouble = nil
        guard !isIdle else { return }
        _ = try execute("ROLLBACK")
    }
}
