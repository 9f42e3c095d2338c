extension Statement {
    fileprivate static let begin = Statement("BEGIN")
    fileprivate static let beginWriting = Statement("BEGIN IMMEDIATE")
    fileprivate static let commit = Statement("COMMIT")
    fileprivate static let rollBack = Statement("ROLLBACK")
    fileprivate static let beginJob = Statement("SAVEPOINT job")
    fileprivate static let undoJob = Statement("ROLLBACK TO job")
    fileprivate static let endJob = Statement("RELEASE job")
    fileprivate static let version = Statement("PRAGMA user_version")
}

extension SQLiteConnection {
    /// Commits all jobs in one transaction, then returns each result; a job that fails, fails alone.
    ///
    /// Savepoints around each job cost a tenth of the time, so they are used only after a failure.
    func commit(_ jobs: [any PendingJob], version: Int) {
        do throws(StoreFailure) {
            try begin(.beginWriting, version: version)
            if !runAll(jobs) {
                undoTransaction()
                try begin(.beginWriting, version: version)
                for job in jobs { try runAlone(job) }
            }
            try shared?.write(on: self)
            try endTransaction()
            shared?.committed()
            for job in jobs { job.finish() }
        } catch {
            undoTransaction()
            for job in jobs { job.fail(error) }
        }
    }

    /// Runs a job on one committed state, without leaving a transaction.
    func read<Outcome>(_ job: Job<Outcome>, version: Int) throws(StoreFailure) -> Outcome {
        defer { undoTransaction() }
        try begin(.begin, version: version)
        let outcome = try job(self)
        try endJob()
        return outcome
    }

    var version: Int {
        get throws(StoreFailure) {
            let version = Int(try value(.version).integer)
            guard version >= 0 else { throw .damaged }
            return version
        }
    }

    private func begin(_ statement: Statement, version: Int) throws(StoreFailure) {
        try run(statement)
        shared = nil
        // Another process may have migrated the tables in the meantime.
        let found = try self.version
        if found > version { throw .newer(version: found) }
        if found < version { throw .older(version: found) }
    }

    /// Returns whether all succeeded; stops at the first failure.
    private func runAll(_ jobs: [any PendingJob]) -> Bool {
        jobs.allSatisfy { job in
            job.run(on: self)
            return !job.hasFailed
        }
    }

    private func runAlone(_ job: any PendingJob) throws(StoreFailure) {
        let before = shared
        try run(.beginJob)
        job.run(on: self)
        if job.hasFailed {
            guard isInTransaction else { throw failure ?? .unavailable }
            failure = nil
            shared = before
            shared?.undoJob()
            try run(.undoJob)
        } else {
            // The next job may fail, and take it along.
            try shared?.write(on: self)
        }
        try run(.endJob)
    }

    private func endTransaction() throws(StoreFailure) {
        do throws(StoreFailure) {
            try run(.commit)
        } catch {
            throw error.leavesCommitUnknown ? StoreFailure(.uncertain, error.cause) : error
        }
    }

    func undoTransaction() {
        failure = nil
        shared = nil
        guard isInTransaction else { return }
        // If this fails, the next transaction cannot begin and tries again.
        _ = try? run(.rollBack)
        failure = nil
    }
}
