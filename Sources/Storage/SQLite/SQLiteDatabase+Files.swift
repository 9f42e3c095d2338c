import FailureTranslation
import PrivateFiles

extension SQLiteDatabase {
    /// Makes an empty store in a new file.
    ///
    /// Opening never does that: a verifier that lost its file must not start from nothing.
    package static func create(path: String, migrations: [Migration]) throws(StoreFailure) {
        try DatabaseFile(path).make { temporary throws(StoreFailure) in
            let connection = try SQLiteConnection(temporary, .readWrite, busyTimeout: .zero)
            defer { connection.close() }
            try connection.useLog()
            try connection.execute("PRAGMA application_id = \(FileHeader.applicationID)")
            try connection.migrate(by: migrations)
            try connection.checkpointLog()
        }
    }

    /// Copies one committed state to a new file while jobs go on, and checks the pages of the copy.
    ///
    /// `VACUUM INTO` reads in one transaction; SQLite's backup functions start again after each
    /// commit of another process. It writes only existing rows: deleted data is not in the copy, and
    /// a damaged page ends it. `mark` changes only the copy. The caller may check more before it
    /// calls `finish`.
    package func copy(
        for path: String,
        marking mark: @escaping Job<Void>
    ) async throws(StoreFailure) -> UnnamedCopy {
        let target = try DatabaseFile(path)
        let result = try await translatingAsync(
            await Thread.run { [file] () throws(StoreFailure) in
                try file.checkPresent()
                let copy = try UnnamedCopy(for: target)
                try file.copy(to: copy.path, marking: mark)
                return copy
            },
            to: { (_: ThreadUnavailable) in StoreFailure.unavailable }
        )
        return try result.get()
    }
}

extension DatabaseFile {
    fileprivate func copy(to path: String, marking mark: Job<Void>) throws(StoreFailure) {
        let source = try SQLiteConnection(self.path, .readOnly, busyTimeout: .seconds(5))
        try source.run(.copy, [.text(path)])
        let copy = try SQLiteConnection(path, .readWrite, busyTimeout: .zero)
        try mark(copy)
        try copy.checkIntegrity()
        try copy.checkpointLog()
    }
}

extension SQLiteConnection {
    /// Moves the whole log into the file, before the file gets its name.
    ///
    /// Closing would try the same, but without reporting a failure.
    fileprivate func checkpointLog() throws(StoreFailure) {
        guard try value(.checkpointLog).integer == 0 else { throw .busy }
    }
}

extension Statement {
    fileprivate static let copy = Statement("VACUUM INTO $1")
    fileprivate static let checkpointLog = Statement("PRAGMA wal_checkpoint(TRUNCATE)")
}
