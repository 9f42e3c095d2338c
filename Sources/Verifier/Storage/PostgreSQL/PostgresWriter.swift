import Cryptography

/// Commits groups of works, each of them once.
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
    func commit(_ works: [any PendingWork]) {
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
                    guard try connection.run(works) else { return false }
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
            if isCommitted || works.count == 1 {
                for work in works { work.tell() }
            } else {
                for work in works { commit([work]) }
            }
        } catch {
            for work in works { work.tell(mayBeCommitted ? .uncertain : error) }
        }
    }

    func close() {
        session.close { connection throws(PostgresFailure) in try connection.forget(marker) }
    }
}

extension PostgresConnection {
    /// False where a work failed.
    fileprivate func run(_ works: [any PendingWork]) throws(PostgresFailure) -> Bool {
        for work in works {
            work.run(on: self)
            if let trouble, trouble == .contended || trouble == .lost { throw trouble }
            guard !work.hasFailed else { return false }
        }
        return true
    }
}
