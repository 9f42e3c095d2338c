/// Statements about transactions, which mean the same to every work.
extension Statement {
    fileprivate static let begin = Statement("BEGIN")
    fileprivate static let beginWriting = Statement("BEGIN IMMEDIATE")
    fileprivate static let commit = Statement("COMMIT")
    fileprivate static let rollBack = Statement("ROLLBACK")
    fileprivate static let beginWork = Statement("SAVEPOINT work")
    fileprivate static let undoWork = Statement("ROLLBACK TO work")
    fileprivate static let endWork = Statement("RELEASE work")
    fileprivate static let version = Statement("PRAGMA user_version")
}

extension SQLiteConnection {
    /// Commits all works in one transaction, then tells each caller; a work that fails, fails alone.
    ///
    /// Savepoints around each work cost a tenth of the time, so they come only after a failure.
    func commit(_ jobs: [any PendingJob], version: Int) {
        do throws(StoreFailure) {
            try begin(.beginWriting, version: version)
            if !runAll(jobs) {
                undoTransaction()
                try begin(.beginWriting, version: version)
                for job in jobs { try runAlone(job) }
            }
            try endTransaction()
            for job in jobs { job.tell() }
        } catch {
            undoTransaction()
            for job in jobs { job.tell(error) }
        }
    }

    /// Runs all works on one committed state, of which nothing stays behind; each fails alone.
    func read(_ jobs: [any PendingJob], version: Int) {
        do throws(StoreFailure) {
            try begin(.begin, version: version)
            for job in jobs {
                job.run(on: self)
                failure = nil
            }
            undoTransaction()
            for job in jobs { job.tell() }
        } catch {
            undoTransaction()
            for job in jobs { job.tell(error) }
        }
    }

    var version: Int {
        get throws(StoreFailure) { Int(try rows(.version, [])[0].integer(0)) }
    }

    private func begin(_ statement: Statement, version: Int) throws(StoreFailure) {
        try run(statement, [])
        // Another process may have moved the tables on since they were last looked at.
        let found = try self.version
        if found > version { throw .newer(version: found) }
        if found < version { throw .older(version: found) }
    }

    /// Says whether all succeeded; ends at the first that did not.
    private func runAll(_ jobs: [any PendingJob]) -> Bool {
        jobs.allSatisfy { job in
            job.run(on: self)
            return !job.hasFailed
        }
    }

    private func runAlone(_ job: any PendingJob) throws(StoreFailure) {
        try run(.beginWork, [])
        job.run(on: self)
        if job.hasFailed {
            guard isInTransaction else { throw failure ?? .unavailable }
            failure = nil
            try run(.undoWork, [])
        }
        try run(.endWork, [])
    }

    private func endTransaction() throws(StoreFailure) {
        do throws(StoreFailure) {
            try run(.commit, [])
        } catch {
            throw error == .unavailable ? .uncertain : error
        }
    }

    func undoTransaction() {
        failure = nil
        guard isInTransaction else { return }
        // What cannot be undone now is undone when the next transaction cannot begin.
        _ = try? run(.rollBack, [])
        failure = nil
    }
}
