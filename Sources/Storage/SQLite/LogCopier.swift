import CSQLite
import PrivateFiles

/// Copies pages from the write-ahead log to the file while the writer goes on.
///
/// SQLite itself would do it on the writer's thread, so that all jobs wait for it. But the log
/// begins again only when all its pages are copied. So when it is long, the writer copies the few
/// pages that it wrote during the last copy. While a reader needs an earlier state, the log grows.
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
        try queue.start(takingUpTo: 1) { [progress] _ in
            // `try?`: the next copy contains these pages, too.
            let copied = (try? check()) == nil ? nil : try? copying.copyLog()
            progress.withLock { $0.endCopy(copied) }
        } end: {
            copying.close()
        }
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
        case .copyRest:
            if let copied = try? writer.copyLog() { progress.withLock { $0.endRest(copied) } }
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

    func copyLog() throws(StoreFailure) -> CopiedLog {
        let connection = if let opened { opened } else { try open() }
        opened = connection
        return try connection.copyLog()
    }

    func close() { opened?.close() }
}

/// The pages in the log after a copy, and those of them that are in the file.
private struct CopiedLog {
    let pageCount: Int
    let copiedCount: Int

    /// False if a reader still needs an earlier state of the file.
    var isComplete: Bool { copiedCount == pageCount }
}

private struct Progress {
    enum Step {
        case wait, copyNow
        /// By the writer, so that nothing is written meanwhile and the log can begin again.
        case copyRest
    }

    /// In pages, like SQLite's own interval.
    private static let interval = 1000
    private static let maximumPageCount = 2000

    /// The pages in the log when the last copy began.
    private var attempted = 0
    /// The pages that are in the file.
    private var copied = 0
    /// The copies of a long log since one was not complete.
    private var completeCount = 0
    private(set) var isCopying = false

    mutating func step(_ pageCount: Int) -> Step {
        guard !isCopying else { return .wait }
        // The log has begun again.
        if pageCount < attempted { self = Progress() }
        // The writer copies a few pages. It copies more only if the thread is too slow to catch up.
        if pageCount - copied < Self.interval * completeCount { return .copyRest }
        guard pageCount - attempted >= Self.interval else { return .wait }
        (attempted, isCopying) = (pageCount, true)
        return .copyNow
    }

    /// Nil if the copy failed.
    mutating func endCopy(_ log: CopiedLog?) {
        isCopying = false
        guard let log else { return }
        copied = log.copiedCount
        if copied < attempted {
            completeCount = 0
        } else if attempted >= Self.maximumPageCount {
            completeCount += 1
        }
    }

    mutating func endRest(_ log: CopiedLog) {
        if log.isComplete {
            self = Progress()
        } else {
            (attempted, copied, completeCount) = (log.pageCount, log.copiedCount, 0)
        }
    }
}

extension SQLiteConnection {
    /// Keeps the length of the log after each commit, instead of copying the log then.
    func followLog() {
        let connection = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(handle, noteLog, connection)
    }

    fileprivate func copyLog() throws(StoreFailure) -> CopiedLog {
        // No job has failed.
        defer { failure = nil }
        // Whether it was busy, the pages in the log, and the copied pages.
        let row = try rows(.copyLog).first?.values ?? []
        guard row.count == 3, case .integer(let pageCount) = row[1],
            case .integer(let copiedCount) = row[2], copiedCount >= 0
        else { throw .unavailable }
        return CopiedLog(pageCount: Int(pageCount), copiedCount: Int(copiedCount))
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
