import FailureTranslation
import PrivateFiles

/// A store on a PostgreSQL server, which several verifiers may use.
///
/// One thread writes: it takes the waiting jobs, commits them together, and then returns each
/// result. Other threads read at the same time. Each has a connection and a session of its own: a
/// connection pooler in between must use session pooling.
package final class PostgresDatabase: QueuedDatabase {
    /// Nodes take turns, so no node may hold the lock for a whole queue.
    private static let groupLimit = 64

    let writing = JobQueue()
    private let reading = JobQueue()
    package let commits = CommitTally()

    /// Opens the database that `create` filled, and blocks while it does.
    ///
    /// A job is retried until `timeout`, on another server after a failover. Without `migrates` it
    /// changes no table, and rejects a store of an earlier version.
    package init(
        _ connectionString: String,
        migrations: [Migration],
        migrates: Bool = true,
        readerCount: Int = 2,
        timeout: Duration = .seconds(10)
    ) throws(StoreFailure) {
        let address = try PostgresAddress(connectionString, timeout: timeout)
        try translating(
            address.migrate(by: migrations, ifBehind: migrates),
            to: \PostgresFailure.storeFailure
        )
        let version = migrations.count
        let writer = PostgresWriter(PostgresSession(address), version: version)
        do throws(StoreFailure) {
            try startWriting(with: writer)
            for _ in 0..<readerCount {
                try startReading(in: PostgresSession(address), version: version)
            }
        } catch {
            for queue in [writing, reading] { queue.abandon() }
            throw error
        }
    }

    deinit {
        for queue in [writing, reading] { queue.refuse() }
    }

    /// The files of CA and client certificates that a connection string names.
    package static func certificateFiles(
        of connectionString: String
    ) -> (client: String?, authorities: String?) {
        let values = PostgresAddress.values(in: connectionString) ?? [:]
        func file(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        let authorities = file("sslrootcert")
        // "system" is libpq's name for the trust store.
        return (file("sslcert"), authorities == "system" ? nil : authorities)
    }

    private func startWriting(with writer: PostgresWriter) throws(StoreFailure) {
        try writing.serve(takingUpTo: Self.groupLimit) { [commits] jobs in
            commits.add(jobs.count)
            writer.commit(jobs)
        } end: {
            writer.close()
        }
    }

    private func startReading(in session: PostgresSession, version: Int) throws(StoreFailure) {
        try reading.serve(takingUpTo: 1) { jobs in
            for job in jobs { session.read(job, version: version) }
        } end: {
            session.close()
        }
    }
}

extension PostgresDatabase {
    /// The thread that prepares also queues the job that writes, so that the caller wakes once.
    package func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let (writing, reading) = (writing, reading)
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let preparing = SubmittedJob(preparation) { result in
                switch result {
                case .failure(let failure): caller.resume(returning: .failure(failure))
                case .success(.enough(let outcome)): caller.resume(returning: .success(outcome))
                case .success(.goOn(let prepared)):
                    writing.submit(
                        SubmittedJob { connection throws(StoreFailure) in
                            try job(prepared, connection)
                        } caller: {
                            caller.resume(returning: $0)
                        }
                    )
                }
            }
            reading.submit(preparing)
        }
        return try result.get()
    }

    package func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await reading.outcome(of: job)
    }

    package func close() async {
        await reading.close()
        await writing.close()
    }
}

extension PostgresSession {
    /// Runs a job on one committed state.
    fileprivate func read(_ job: any PendingJob, version: Int) {
        do throws(StoreFailure) {
            try run { connection throws(PostgresFailure) in
                try connection.beginReading(version: version)
                job.run(on: connection)
                if let failure = connection.firstFailure { throw failure }
                // A job that read nothing.
                try connection.readResults()
                // The job has its result, even if the connection is lost now: `try?`.
                try? connection.sendRollback()
            }
            job.finish()
        } catch {
            job.fail(error)
        }
    }
}
