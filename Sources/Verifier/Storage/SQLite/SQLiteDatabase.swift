/// A store in one file, which other processes may have open too.
///
/// One thread writes: it takes all works that wait, commits them together and then tells each
/// caller. Others read beside it.
package final class SQLiteDatabase: WorkedDatabase {
    private static let readerCount = 2

    let file: DatabaseFile
    private let version: Int
    /// How many works were committed, and in how many groups.
    package let commits = CommitTally()
    let lines = WorkLines()

    /// Opens the file that `create` made, and blocks while it does.
    ///
    /// `checksWholeFile` reads all of it; a command beside a daemon that did so need not.
    package init(
        path: String,
        migrations: [Migration],
        busyTimeout: Duration = .seconds(5),
        checksWholeFile: Bool = true
    ) throws(StoreFailure) {
        file = try DatabaseFile(path)
        version = migrations.count
        let writer = try SQLiteConnection.open(
            file,
            migrations: migrations,
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
        try lines.writing.startThread(takingUpTo: .max) { [version, commits] works in
            commits.add(works.count)
            connection.commit(works, version: version)
        } end: {
            connection.close()
        }
    }

    /// A few works at a time: a long one holds up no more than those that came with it.
    private func startReading(on connection: SQLiteConnection) throws(StoreFailure) {
        try lines.reading.startThread(takingUpTo: 8) { [version] works in
            connection.read(works, version: version)
        } end: {
            connection.close()
        }
    }
}
