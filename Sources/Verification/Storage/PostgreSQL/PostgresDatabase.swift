/// A store on a PostgreSQL server, which other verifiers may write to beside this one.
///
/// One thread writes: it takes the works that wait, commits them together and then tells each
/// caller. Others read beside it. Each has a connection of its own, in sessions that last: a pooler
/// between them and the server must not share those among transactions.
package final class PostgresDatabase: QueuedDatabase {
    /// Nodes take turns, and nobody waits for another's whole line.
    private static let groupLimit = 64

    let lines = JobQueues()
    /// How many works were committed here, and in how many groups.
    package let commits = CommitTally()

    /// Opens the database that `create` filled, and blocks while it does.
    ///
    /// A work is run again, on another server if need be, until `patience` ends. Who does not migrate
    /// changes no table, and refuses a store that is behind.
    package init(
        _ connectionString: String,
        migrations: [Migration],
        migrates: Bool = true,
        readerCount: Int = 2,
        timeout: Duration = .seconds(10)
    ) throws(StoreFailure) {
        let address = try PostgresAddress(connectionString, timeout: timeout)
        try address.migrate(by: migrations, ifBehind: migrates)
        let version = migrations.count
        let writer = try PostgresWriter(PostgresSession(address), version: version)
        do throws(StoreFailure) {
            try startWriting(with: writer)
            for _ in 0..<readerCount {
                try startReading(in: PostgresSession(address), version: version)
            }
        } catch {
            lines.abandon()
            throw error
        }
    }

    private func startWriting(with writer: PostgresWriter) throws(StoreFailure) {
        try lines.writing.startThread(takingUpTo: Self.groupLimit) { [commits] jobs in
            commits.add(jobs.count)
            writer.commit(jobs)
        } end: {
            writer.close()
        }
    }

    private func startReading(in session: PostgresSession, version: Int) throws(StoreFailure) {
        try lines.reading.startThread(takingUpTo: 1) { jobs in
            for job in jobs { session.read(job, version: version) }
        } end: {
            session.close()
        }
    }
}

extension PostgresSession {
    /// Runs a work on one committed state.
    fileprivate func read(_ job: any PendingJob, version: Int) {
        do throws(StoreFailure) {
            try run { connection throws(PostgresFailure) in
                try connection.beginReading(version: version)
                job.run(on: connection)
                if let trouble = connection.trouble { throw trouble }
            }
            job.tell()
        } catch {
            job.tell(error)
        }
    }
}
