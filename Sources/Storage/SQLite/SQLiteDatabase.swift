import PrivateFiles

/// A store in one file, which other processes may have open at the same time.
///
/// One thread writes: it takes all waiting jobs, commits them together, and then returns each
/// result. Other threads read at the same time, and one copies the write-ahead log to the file.
package final class SQLiteDatabase: QueuedDatabase {
    private static let readerCount = 2
    /// A long read delays only the few jobs that were taken together with it.
    private static let readGroupLimit = 8

    let file: DatabaseFile
    /// The opened file: a commit to a file that was replaced must not be reported as durable.
    private let identity: FileStatus.Identity?
    private let version: Int
    package let commits = CommitTally()
    let queues = JobQueues()
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
        do throws(StoreFailure) {
            try logCopier.start { [file, identity] () throws(StoreFailure) in
                try SQLiteConnection.open(file, ifStill: identity, busyTimeout: .zero)
            } check: { [file, identity] () throws(StoreFailure) in
                try file.check(isStill: identity)
            }
            writer.followLog()
            try start(queues.writing, takingUpTo: .max, on: writer) {
                [version, commits, logCopier] jobs in
                commits.add(jobs.count)
                writer.commit(jobs, version: version)
                logCopier.follow(writer)
            }
            for _ in 0..<Self.readerCount {
                let reader = try SQLiteConnection(file.path, .readWrite, busyTimeout: busyTimeout)
                try reader.execute("PRAGMA query_only = ON")
                try start(queues.reading, takingUpTo: Self.readGroupLimit, on: reader) {
                    [version] jobs in reader.read(jobs, version: version)
                }
            }
        } catch {
            queues.abandon()
            logCopier.abandon()
            throw error
        }
    }

    package func close() async {
        await queues.close()
        await logCopier.close()
    }

    private func start(
        _ queue: JobQueue,
        takingUpTo limit: Int,
        on connection: SQLiteConnection,
        _ run: @escaping @Sendable ([any PendingJob]) -> Void
    ) throws(StoreFailure) {
        try queue.serve(takingUpTo: limit) { [file, identity] jobs in
            do throws(StoreFailure) {
                try file.check(isStill: identity)
                run(jobs)
            } catch {
                for job in jobs { job.fail(error) }
            }
        } end: {
            connection.close()
        }
    }
}
