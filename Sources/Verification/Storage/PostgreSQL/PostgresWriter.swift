import Cryptography

/// Commits groups of works, each of them once.
///
/// A group shares its begin and its commit, which is what waits for the disk and for standbys. Within
/// it works go one by one, a message for each statement. One statement for all works of a group, as
/// by `unnest`, would save those messages: 64 updates in one were 41 times as fast as 64 transactions
/// of one each, most of which sharing the commit gives too. It is not done because a rule would no
/// longer read, decide and write by itself, but be cut into a part that loads for all, one that
/// decides and one that saves; and a work that fails could not fail alone. What there is to gain is
/// the time between messages: a decision's statements take 0.6 to 1.0 of the time in which pgbench
/// does the same ones, so all of that is the server's and the line's, and grows with its length.
/// Where verifiers are far from their server, begin with libpq's pipeline mode, which leaves rules as
/// they are.
///
/// `@unchecked`: it belongs to one thread.
final class PostgresWriter: @unchecked Sendable {
    private let session: PostgresSession
    private let version: Int
    private var marker: CommitMarker

    init(_ session: PostgresSession, version: Int) throws(StoreFailure) {
        self.session = session
        self.version = version
        do throws(CryptographyFailure) {
            let name = try randomBytes(count: 16)
            marker = CommitMarker(writer: TextEncoding.hexadecimal.encode(name.span))
        } catch {
            throw .unavailable
        }
    }

    /// Commits all works in one transaction, then tells each caller; a work that fails, fails alone.
    func commit(_ jobs: [any PendingJob]) {
        marker.number += 1
        var mayBeCommitted = false
        do throws(StoreFailure) {
            let isCommitted = try session.run { connection throws(PostgresFailure) in
                var last = try connection.beginWriting(marker, version: version)
                if last == nil {
                    // How it ended cannot be known any more.
                    guard !mayBeCommitted else { throw .refused(.uncertain) }
                    try connection.enter(marker)
                    last = try connection.beginWriting(marker, version: version)
                }
                let wasCommitted = last == marker.number
                mayBeCommitted = wasCommitted
                if !wasCommitted {
                    guard try connection.run(jobs) else { return false }
                }
                mayBeCommitted = true
                do throws(PostgresFailure) {
                    // Said again if it was said before, so that what is told is as durable as this.
                    try connection.commit(marker)
                } catch {
                    mayBeCommitted = wasCommitted || error == .lost
                    throw error
                }
                return true
            }
            if isCommitted || jobs.count == 1 {
                for job in jobs { job.tell() }
            } else {
                for job in jobs { commit([job]) }
            }
        } catch {
            for job in jobs { job.tell(mayBeCommitted ? .uncertain : error) }
        }
    }

    func close() {
        session.close { connection throws(PostgresFailure) in try connection.forget(marker) }
    }
}

extension PostgresConnection {
    /// False where a work failed.
    fileprivate func run(_ jobs: [any PendingJob]) throws(PostgresFailure) -> Bool {
        for job in jobs {
            job.run(on: self)
            if let trouble, trouble.mayPass { throw trouble }
            guard !job.hasFailed else { return false }
        }
        return true
    }
}
