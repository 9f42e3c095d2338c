extension SQLiteDatabase {
    /// Makes an empty store in a new file.
    ///
    /// Never done by opening: a verifier whose file was lost must not begin from nothing.
    package static func create(
        path: String,
        migrations: [Migration]
    ) throws(StoreFailure) {
        try DatabaseFile(path).make { temporary throws(StoreFailure) in
            let connection = try SQLiteConnection(temporary, .readWrite, busyTimeout: .zero)
            defer { connection.close() }
            try connection.useLog()
            try connection.execute("PRAGMA application_id = \(FileHeader.applicationID)")
            try connection.migrate(by: migrations)
            try connection.takeOverLog()
        }
    }

    /// Copies one committed state to a new file while works go on, and checks the copy.
    ///
    /// `VACUUM INTO` reads in one transaction, where SQLite's backup functions begin anew at each
    /// commit of another process. It writes only rows that are there: what was erased is not in
    /// the copy, and a damaged page ends it. `mark` is what the copy alone is to have.
    package func backUp(
        to path: String,
        marking mark: @escaping Job<Void>
    ) async throws(StoreFailure) {
        let copy = try DatabaseFile(path)
        try await Thread.run { [file] () throws(StoreFailure) in
            try file.checkPresent()
            try copy.make { path throws(StoreFailure) in try file.copy(to: path, marking: mark) }
        }
    }
}

extension DatabaseFile {
    fileprivate func copy(to path: String, marking mark: Job<Void>) throws(StoreFailure) {
        let source = try SQLiteConnection(self.path, .readOnly, busyTimeout: .seconds(5))
        try source.run(.copy, [.text(path)])
        let copy = try SQLiteConnection(path, .readWrite, busyTimeout: .zero)
        try mark(copy)
        try copy.checkIntegrity()
        try copy.takeOverLog()
    }
}

extension SQLiteConnection {
    /// Has all of it be in the file, which is about to be named: closing would try, and not tell.
    fileprivate func takeOverLog() throws(StoreFailure) {
        guard try rows(.takeOverLog, [])[0].integer(0) == 0 else { throw .busy }
    }
}

extension Statement {
    fileprivate static let copy = Statement("VACUUM INTO $1")
    fileprivate static let takeOverLog = Statement("PRAGMA wal_checkpoint(TRUNCATE)")
}
