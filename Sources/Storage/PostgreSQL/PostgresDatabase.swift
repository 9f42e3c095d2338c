import FailureTranslation
import PrivateFiles

/// A store on a PostgreSQL server, which several verifiers may use.
///
/// One thread writes: it takes the waiting jobs, commits them together, and then returns each
/// result. Other threads read at the same time, each for several jobs. Each thread has a connection
/// and a session of its own: a connection pooler in between must use session pooling.
package final class PostgresDatabase: QueuedDatabase {
    /// Nodes take turns, so no node may hold the lock for a whole queue.
    private static let groupLimit = 64

    let writing = JobQueue()
    private let reading = JobQueue()
    package let commits = CommitTally()

    /// Opens the database that `create` filled, and blocks while it does.
    ///
    /// A job is retried until `timeout` after its submission, on another server after a failover.
    /// Without `migrates` it changes no table, and rejects a store of an earlier version. A session
    /// checks the tables at its start. One that is older than `maximumSessionAge` is replaced before
    /// its next job.
    package init(
        _ connectionString: String,
        migrations: [Migration],
        migrates: Bool = true,
        readerCount: Int = 2,
        timeout: Duration = .seconds(10),
        maximumSessionAge: Duration = .seconds(60)
    ) throws(StoreFailure) {
        let address = try PostgresAddress(connectionString, timeout: timeout)
        let definitions = try TableDefinitions(migrations)
        let version = migrations.count
        try translating(
            migrates
                ? address.migrate(by: migrations, definitions)
                : address.check(version: version, definitions),
            to: \PostgresFailure.storeFailure
        )
        func session() -> PostgresSession {
            PostgresSession(address, definitions, maximumAge: maximumSessionAge)
        }
        let writer = PostgresWriter(session(), version: version)
        do throws(StoreFailure) {
            try startWriting(with: writer)
            for _ in 0..<readerCount {
                try startReading(in: session(), version: version)
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
        try reading.serve(takingUpTo: Self.groupLimit) { jobs in
            session.read(jobs, version: version)
        } end: {
            session.close()
        }
    }
}

extension PostgresDatabase {
    /// The thread that prepares also queues the job that writes, so that the caller wakes once.
    package func write<Prepared: Sendable, Outcome: Sendable>(
        reading queries: [Query],
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let (writing, reading) = (writing, reading)
        let submission = ContinuousClock.now
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let preparing = SubmittedJob(
                preparation,
                submitted: submission,
                reading: queries
            ) { result in
                switch result {
                case .failure(let failure): caller.resume(returning: .failure(failure))
                case .success(.enough(let outcome)): caller.resume(returning: .success(outcome))
                case .success(.goOn(let prepared, let queries)):
                    let job: Job<Outcome> = { connection throws(StoreFailure) in
                        try job(prepared, connection)
                    }
                    writing.submit(
                        SubmittedJob(job, submitted: submission, reading: queries) {
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
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await reading.outcome(of: job, reading: queries)
    }

    package func scan<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await reading.outcome(of: job, isScan: true)
    }

    package func rewrite<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await writing.outcome(of: job, isScan: true)
    }

    package func close() async {
        await reading.close()
        await writing.close()
    }
}

extension PostgresSession {
    /// Runs jobs on one committed state; a job that fails, fails alone.
    fileprivate func read(_ jobs: [any PendingJob], version: Int) {
        serve(jobs) { jobs throws(StoreFailure) in
            let isRead = try run(jobs) { connection throws(PostgresFailure) in
                try connection.beginReading(version: version)
                if jobs.contains(where: \.isScan) { try connection.beginScan() }
                return try connection.read(jobs)
            }
            if isRead {
                for job in jobs { job.finish() }
            } else {
                for job in jobs { read([job], version: version) }
            }
        }
    }
}

extension PostgresConnection {
    /// Returns false if a job failed.
    fileprivate func read(_ jobs: [any PendingJob]) throws(PostgresFailure) -> Bool {
        do throws(PostgresFailure) {
            try prefetch(jobs.flatMap(\.queries))
            for job in jobs {
                job.run(on: self)
                if let firstFailure { throw firstFailure }
            }
            // A job that read nothing.
            try readResults()
        } catch {
            // An outage is that of all jobs, which have waited for its end.
            guard !error.isTransient, jobs.count > 1 else { throw error }
            return false
        }
        // The jobs have their results, even if the connection is lost now: `try?`.
        try? sendRollback()
        return true
    }
}
