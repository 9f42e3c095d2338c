/// Commits groups of jobs, each job once.
///
/// A group shares its begin and its commit, which waits for the disk and the standbys. It also shares
/// messages. The queries of its jobs are prefetched at the begin. Changes are sent without waiting
/// for their results. Within a group, jobs run one by one. A job waits only for a query that was not
/// prefetched, or whose result the group could have changed.
///
/// `@unchecked`: it belongs to one thread.
final class PostgresWriter: @unchecked Sendable {
    private let session: PostgresSession
    private let version: Int
    private var marker: CommitMarker
    /// Whether `countersign_commits` had a row of this writer.
    private var isRegistered = false

    init(_ session: PostgresSession, version: Int) {
        self.session = session
        self.version = version
        // Letters and digits only: the name becomes part of statements.
        let name = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
        marker = CommitMarker(writer: name.joined(separator: "x"))
    }

    /// Commits all jobs in one transaction, then returns each result; a job that fails, fails alone.
    func commit(_ jobs: [any PendingJob]) {
        session.serve(jobs) { jobs throws(StoreFailure) in try commitTogether(jobs) }
    }

    private func commitTogether(_ jobs: [any PendingJob]) throws(StoreFailure) {
        marker.number += 1
        var mayBeCommitted = false
        var shared: (any SharedData)?
        do throws(StoreFailure) {
            let isCommitted = try session.run(jobs, isUncertain: { mayBeCommitted }) {
                connection throws(PostgresFailure) in
                let wasCommitted = try begin(
                    on: connection,
                    reading: jobs.flatMap(\.queries),
                    mayBeCommitted: mayBeCommitted
                )
                mayBeCommitted = wasCommitted
                if wasCommitted {
                    try connection.checkIsCommitted(shared)
                } else {
                    if jobs.contains(where: \.isScan) { try connection.beginScan() }
                    guard try connection.run(jobs) else { return false }
                    shared = connection.shared
                }
                mayBeCommitted = true
                do throws(PostgresFailure) {
                    // Repeated if it was committed, so that its durability is known.
                    try connection.commit(after: marker.update)
                    // Also if the response to the first commit was lost, with its connection.
                    shared?.committed()
                } catch {
                    mayBeCommitted = wasCommitted || error.kind == .lost
                    throw error
                }
                return true
            }
            if isCommitted || jobs.count == 1 {
                for job in jobs { job.finish() }
            } else {
                for job in jobs { commit([job]) }
            }
        } catch {
            guard mayBeCommitted else { throw error }
            for job in jobs { job.fail(StoreFailure(.uncertain, error.cause)) }
        }
    }

    /// Begins a transaction, and returns whether an earlier attempt may have committed the group.
    ///
    /// Another program can have written the marker, so it proves nothing alone. Before the first commit
    /// it means nothing.
    ///
    /// If a query fails, nothing else can be done in its transaction. So queries are sent with the begin
    /// only if no registration and no repeated commit can follow.
    private func begin(
        on connection: PostgresConnection,
        reading queries: [Query],
        mayBeCommitted: Bool,
        hasJustRegistered: Bool = false
    ) throws(PostgresFailure) -> Bool {
        let prefetches = isRegistered && !mayBeCommitted
        let last = try connection.beginWriting(
            marker,
            version: version,
            prefetching: prefetches ? queries : []
        )
        if let last {
            isRegistered = true
            if mayBeCommitted, last == marker.number { return true }
            if !prefetches { try connection.prefetch(queries) }
            return false
        }
        // The result of the first attempt is no longer known.
        guard !mayBeCommitted else { throw .refused(.uncertain) }
        guard !hasJustRegistered else {
            // For example, a rule prevents the insertion.
            isRegistered = false
            throw .refused(.altered(table: PostgresTables.commits))
        }
        let registers = !isRegistered
        if registers { try connection.register(marker) } else { try connection.rollBack() }
        isRegistered = registers
        return try begin(
            on: connection,
            reading: queries,
            mayBeCommitted: false,
            hasJustRegistered: registers
        )
    }

    func close() {
        session.close { connection throws(PostgresFailure) in
            _ = try connection.execute(marker.deletion)
        }
    }
}

extension PostgresConnection {
    /// Fails with `altered` if a forged row has the last place.
    fileprivate func register(_ marker: CommitMarker) throws(PostgresFailure) {
        do throws(PostgresFailure) {
            try commit(after: marker.insertion)
        } catch  where error.isState("22003") {
            // numeric_value_out_of_range
            throw .refused(.altered(table: PostgresTables.commits))
        }
    }

    /// Fails with `uncertain` if the store lacks the state that the jobs left.
    fileprivate func checkIsCommitted(_ shared: (any SharedData)?) throws(PostgresFailure) {
        guard let shared else { return }
        do throws(StoreFailure) {
            guard try shared.isCommitted(on: self) else { throw .uncertain }
        } catch {
            throw firstFailure ?? .refused(error)
        }
    }

    /// Returns false if a job failed.
    fileprivate func run(_ jobs: [any PendingJob]) throws(PostgresFailure) -> Bool {
        do throws(PostgresFailure) {
            for job in jobs {
                job.run(on: self)
                if let firstFailure, firstFailure.isTransient { throw firstFailure }
                guard !job.hasFailed else { return false }
            }
            do throws(StoreFailure) {
                try shared?.write(on: self)
            } catch {
                throw firstFailure ?? .refused(error)
            }
            // If the connection is lost now, nothing is committed.
            try readResults()
        } catch {
            // The failed statement can be that of any job.
            guard !error.isTransient, jobs.count > 1 else { throw error }
            return false
        }
        return true
    }
}
