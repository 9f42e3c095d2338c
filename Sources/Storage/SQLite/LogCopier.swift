import CSQLite
import FailureTranslation
import PrivateFiles

/// Copies pages from the write-ahead log to the file while the writer goes on.
///
/// SQLite itself would do it on the writer's thread, so that all jobs wait for it. But the log
/// begins again only when all its pages are copied. So when it is long, the writer copies the few
/// pages that it wrote during the last copy.
final class LogCopier: Sendable {
    private let queue = WorkQueue<Void>()
    private let progress = LockedValue(Progress())

    /// Starts the thread, which alone uses the connection of `open`.
    ///
    /// `check` fails if the file is no longer the opened one.
    func start(
        opening open: @escaping @Sendable () throws(StoreFailure) -> SQLiteConnection,
        check: @escaping @Sendable () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let copying = CopyingConnection(opening: open)
        let thread = { [queue, progress] () throws(ThreadUnavailable) in
            try queue.startThread(takingUpTo: 1) { _ in
                // `try?`: the next copy contains these pages, too.
                if (try? check()) != nil { try? copying.copyLog() }
                progress.withLock { $0.isCopying = false }
            } end: {
                copying.close()
            }
        }
        try translating(thread()) { (_: ThreadUnavailable) in StoreFailure.unavailable }
    }

    /// Whether a copy was requested and has not ended.
    var isCopying: Bool { progress.withLock { $0.isCopying } }

    /// Call it on the writer's thread after each commit.
    func follow(_ writer: SQLiteConnection) {
        // Nil if nothing was written: then the log may be copied to its end, and begin again at any
        // time. Some versions of SQLite damage the file if a copy begins at that moment.
        guard let pageCount = writer.logPageCount else { return }
        writer.logPageCount = nil
        switch progress.withLock({ $0.step(pageCount) }) {
        case .wait: break
        case .copyNow: _ = queue.append(())
        // `try?`: the log grows, and the next commit tries again.
        case .copyRest: try? writer.copyLog()
        }
    }

    func abandon() {
        queue.refuse()
        queue.join()
    }

    func close() async { await queue.close() }

    deinit {
        queue.refuse()
    }
}

/// A connection that is opened for the first copy, so that an idle store needs no memory for it.
///
/// `@unchecked`: only the thread of `LogCopier` uses it.
private final class CopyingConnection: @unchecked Sendable {
    private let open: @Sendable () throws(StoreFailure) -> SQLiteConnection
    private var opened: SQLiteConnection?

    init(opening open: @escaping @Sendable () throws(StoreFailure) -> SQLiteConnection) {
        self.open = open
    }

    func copyLog() throws(StoreFailure) {
        if opened == nil { opened = try open() }
        try opened?.copyLog()
    }

    func close() { opened?.close() }
}

private struct Progress {
    enum Step {
        case wait, copyNow, copyRest
    }

    /// In pages, like SQLite's own interval.
    private static let interval = 1000
    private static let maximumPageCount = 2000

    /// The pages in the log when the last copy began.
    private var copied = 0
    var isCopying = false

    mutating func step(_ pageCount: Int) -> Step {
        guard !isCopying else { return .wait }
        // The log has begun again.
        if pageCount < copied { copied = 0 }
        if copied >= Self.maximumPageCount {
            copied = 0
            return .copyRest
        }
        guard pageCount - copied >= Self.interval else { return .wait }
        (copied, isCopying) = (pageCount, true)
        return .copyNow
    }
}

extension SQLiteConnection {
    /// Keeps the length of the log after each commit, instead of copying the log then.
    func followLog() {
        let connection = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(handle, noteLog, connection)
    }

    fileprivate func copyLog() throws(StoreFailure) {
        // No job has failed.
        defer { failure = nil }
        _ = try rows(.copyLog)
    }
}

private func noteLog(
    _ connection: UnsafeMutableRawPointer?,
    _ handle: OpaquePointer?,
    _ name: UnsafePointer<CChar>?,
    _ pageCount: Int32
) -> Int32 {
    guard let connection else { return SQLITE_OK }
    Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().logPageCount =
        Int(pageCount)
    return SQLITE_OK
}

extension Statement {
    fileprivate static let copyLog = Statement("PRAGMA wal_checkpoint(PASSIVE)")
}
