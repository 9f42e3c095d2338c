import PrivateFiles

/// A store in one file, which other processes may have open at the same time.
///
/// One thread writes: it takes all waiting jobs, commits them together, and then returns each
/// result. Callers read on their own threads at the same time. One more thread copies the write-ahead
/// log to the file.
package final class SQLiteDatabase: QueuedDatabase {
    let file: DatabaseFile
    /// The opened file: a commit to a file that was replaced must not be reported as durable.
    private let identity: FileStatus.Identity?
    private let version: Int
    package let commits = CommitTally()
    let writing = JobQueue()
    private let readers: ReaderPool
    /// Reads of many rows, of which only a few run at the same time.
    private let scans = WorkQueue<@Sendable () -> Void>()
    private let logCopier = LogCopier()

    /// Opens the file that `create` made, and blocks while it does.
    ///
    /// `checksWholeFile` reads the whole file; a command that runs at the same time as a daemon need
    /// not do it. Without `migrates` it changes no table, and rejects a store of an earlier version.
    package init(
        path: String,
        migrations: [Migration],
        migrates: Bool = true,
        busyTimeout: Duration = .seconds(5),
        checksWholeFile: Bool = true
    ) throws(StoreFailure) {
        file = try DatabaseFile(path)
        version = migrations.count
        // Before the whole file is read, which may take minutes.
        identity = try file.identity
        let writer = try SQLiteConnection.open(
            file,
            migrations: migrations,
            migrates: migrates,
            busyTimeout: busyTimeout,
            checksWholeFile: checksWholeFile
        )
        readers = ReaderPool { [file] () throws(StoreFailure) in
            let reader = try SQLiteConnection(file.path, .readWrite, busyTimeout: busyTimeout)
            try reader.execute("PRAGMA query_only = ON")
            return reader
        }
        do throws(StoreFailure) {
            try logCopier.start { [file, identity] () throws(StoreFailure) in
                try SQLiteConnection.open(file, ifStill: identity, busyTimeout: .zero)
            } check: { [file, identity] () throws(StoreFailure) in
                try file.check(isStill: identity)
            }
            writer.followLog()
            for _ in 0..<Self.scanThreadCount {
                try scans.start(takingUpTo: 1) { jobs in for job in jobs { job() } }
            }
            try startWriting(on: writer)
        } catch {
            writing.abandon()
            scans.refuse()
            scans.join()
            logCopier.abandon()
            throw error
        }
    }

    package func read<Outcome: Sendable>(
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try readNow(job)
    }

    package func scan<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let isTaken = scans.append { [self] in
                caller.resume(
                    returning: Result { () throws(StoreFailure) in try readNow(job) }
                )
            }
            if !isTaken { caller.resume(returning: .failure(.unavailable)) }
        }
        return try result.get()
    }

    private static let scanThreadCount = 2

    private func readNow<Outcome>(_ job: Job<Outcome>) throws(StoreFailure) -> Outcome {
        try file.check(isStill: identity)
        return try readers.read { connection throws(StoreFailure) in
            try connection.read(job, version: version)
        }
    }

    deinit {
        writing.refuse()
        scans.refuse()
    }

    package func close() async {
        await scans.close()
        await readers.close()
        await writing.close()
        await logCopier.close()
    }

    private func startWriting(on connection: SQLiteConnection) throws(StoreFailure) {
        try writing.serve(takingUpTo: .max) {
            [file, identity, version, commits, logCopier] jobs in
            do throws(StoreFailure) {
                try file.check(isStill: identity)
                commits.add(jobs.count)
                connection.commit(jobs, version: version)
                logCopier.follow(connection)
            } catch {
                for job in jobs { job.fail(error) }
            }
        } end: {
            connection.close()
        }
    }
}
