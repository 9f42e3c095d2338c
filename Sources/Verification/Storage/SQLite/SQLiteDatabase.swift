/// A store in one file, which other processes may have open too.
///
/// One thread writes: it takes all works that wait, commits them together and then tells each
/// caller. Others read beside it.
package final class SQLiteDatabase: QueuedDatabase {
    private static let readerCount = 2

    let file: DatabaseFile
    /// What was opened: nobody may be told of what is committed to a file that another took the place of.
    private let identity: DatabaseFile.Identity?
    private let version: Int
    /// How many works were committed, and in how many groups.
    package let commits = CommitTally()
    let lines = JobQueues()

    /// Opens the file that `create` made, and blocks while it does.
    ///
    /// `checksWholeFile` reads all of it; a command beside a daemon that did so need not. Who does not
    /// migrate changes no table, and refuses a store that is behind.
    package init(
        path: String,
        migrations: [Migration],
        migrates: Bool = true,
        busyTimeout: Duration = .seconds(5),
        checksWholeFile: Bool = true
    ) throws(StoreFailure) {
        file = try DatabaseFile(path)
        version = migrations.count
        // Before it is read through, which may take minutes.
        identity = try file.identity
        let writer = try SQLiteConnection.open(
            file,
            migrations: migrations,
            migrates: migrates,
            busyTimeout: busyTimeout,
            checksWholeFile: checksWholeFile
        )
        do throws(StoreFailure) {
            try startWriting(on: writer)
            for _ in 0..<Self.readerCount {
                let reader = try SQLiteConnection(file.path, .readWrite, busyTimeout: busyTimeout)
                try reader.execute("PRAGMA query_only = ON")
                try startReading(on: reader)
            }
        } catch {
            lines.abandon()
            throw error
        }
    }

    private func startWriting(on connection: SQLiteConnection) throws(StoreFailure) {
        try lines.writing.startThread(takingUpTo: .max) {
            [file, identity, version, commits] jobs in
            do throws(StoreFailure) {
                try file.check(isStill: identity)
            } catch {
                return jobs.forEach { $0.tell(error) }
            }
            commits.add(jobs.count)
            connection.commit(jobs, version: version)
        } end: {
            connection.close()
        }
    }

    /// A few works at a time: a long one holds up no more than those that came with it.
    private func startReading(on connection: SQLiteConnection) throws(StoreFailure) {
        try lines.reading.startThread(takingUpTo: 8) { [file, identity, version] jobs in
            do throws(StoreFailure) {
                try file.check(isStill: identity)
            } catch {
                return jobs.forEach { $0.tell(error) }
            }
            connection.read(jobs, version: version)
        } end: {
            connection.close()
        }
    }
}
