import PrivateFiles
import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import Storage
@testable import Verification

/// The write-ahead log is copied while the writer goes on, and begins again.
@Suite struct `The log of a SQLite store` {
    private let store: TemporaryStore
    private let database: SQLiteDatabase
    /// Of a log with this many pages.
    private static func byteCount(_ pageCount: Int) -> Int { pageCount * (4096 + 24) }

    init() throws {
        store = try TemporaryStore()
        database = try store.open()
    }

    private var logByteCount: Int { store.byteCount(of: "store.db-wal") }

    /// Writes at least `pageCount` pages in commits of about 25.
    private func write(pageCount: Int) async throws {
        for _ in 0..<(pageCount / 25) {
            try await database.write { connection throws(StoreFailure) in
                try Tally.enlarge(by: 25 * 4000, on: connection)
            }
        }
    }

    @Test func `stays short, however much is written`() async throws {
        try await write(pageCount: 20_000)
        // It begins again after 1,000 pages, or later if the disk is slow.
        #expect(logByteCount < Self.byteCount(8000))
        let counts = try await database.read(Tally.counts)
        await database.close()
        #expect(logByteCount == 0)
        let again = try store.open()
        #expect(try await again.read(Tally.counts) == counts)
        await again.close()
        #expect(try sqlite3(store.path, "PRAGMA integrity_check") == "ok")
    }

    @Test func `grows during a long read, and begins again after it`() async throws {
        let point = StopPoint()
        let reading = Task {
            try await database.read { connection throws(StoreFailure) in
                let counts = try Tally.counts(on: connection)
                point.stop()
                return counts
            }
        }
        await point.waitUntilReached()
        try await write(pageCount: 10_000)
        let grown = logByteCount
        #expect(grown > Self.byteCount(9000))
        point.resume()
        _ = try await reading.value
        // The file keeps its length, and is written again from its beginning.
        try await write(pageCount: 20_000)
        #expect(logByteCount < grown + Self.byteCount(8000))
        await database.close()
    }
}

/// A writer and its copier, without the threads of a database.
@Suite struct `A copy of the log of a SQLite store` {
    private let store: TemporaryStore
    private let writer: SQLiteConnection
    private let copying: SQLiteConnection
    private let copier = LogCopier()
    /// The number of copies that have begun.
    private let copies = LockedValue(0)

    init() throws {
        store = try TemporaryStore()
        writer = try SQLiteConnection.open(
            DatabaseFile(store.path),
            migrations: tallyMigrations,
            migrates: true,
            busyTimeout: .seconds(5),
            checksWholeFile: false
        )
        copying = try SQLiteConnection(store.path, .readWrite, busyTimeout: .zero)
        writer.followLog()
    }

    private static let pageByteCount = 4096
    private static let beginReading = "BEGIN; SELECT count(*) FROM tally"

    private var copyCount: Int { copies.withLock { $0 } }
    private var fileByteCount: Int { store.byteCount(of: "store.db") }
    private var logByteCount: Int { store.byteCount(of: "store.db-wal") }

    /// `work` gets the number of each copy, before it begins.
    private func start(
        opening: (@Sendable () throws(StoreFailure) -> SQLiteConnection)? = nil,
        _ work: @escaping @Sendable (Int) throws(StoreFailure) -> Void
    ) throws {
        try copier.start(opening: opening ?? { [copying] in copying }) {
            [copies] () throws(StoreFailure) in
            let number = copies.withLock { count in
                count += 1
                return count
            }
            try work(number)
        }
    }

    /// Commits one job on this thread; `between` runs before the copier follows.
    private func commit(
        _ job: @escaping Job<Void>,
        between: () throws -> Void = {}
    ) throws {
        let result = LockedValue<Result<Void, StoreFailure>?>(nil)
        let submitted = SubmittedJob(job) { outcome in result.withLock { $0 = outcome } }
        writer.commit([submitted], version: tallyMigrations.count)
        try result.withLock { $0 }.unwrapped().get()
        try between()
        copier.follow(writer)
    }

    /// Writes about 25 pages.
    private func write(between: () throws -> Void = {}) throws {
        try commit(
            { connection throws(StoreFailure) in
                try Tally.enlarge(by: 25 * 4000, on: connection)
            },
            between: between
        )
    }

    /// Writes until this many copies have begun, and ended.
    private func write(untilCopy number: Int) throws {
        for _ in 0..<400 where copyCount < number {
            try write()
            try spinUntil { !copier.isCopying }
        }
        #expect(copyCount == number)
    }

    /// The log cannot be copied within a transaction of the same connection.
    @Test func `that fails does not end the copies`() async throws {
        try start { [copying] number throws(StoreFailure) in
            if number == 1 { try copying.execute(Self.beginReading) }
            if number == 2 { try copying.execute("COMMIT") }
        }
        try write(untilCopy: 1)
        #expect(fileByteCount < 100 * Self.pageByteCount)
        try write(untilCopy: 2)
        #expect(fileByteCount > 900 * Self.pageByteCount)
        // All is copied, so the log begins again.
        let grown = logByteCount
        try write(untilCopy: 5)
        #expect(logByteCount < grown + 1100 * Self.pageByteCount)
        await copier.close()
    }

    /// As for a file that another one has replaced.
    @Test func `that must not begin does not end the copies`() async throws {
        try start { number throws(StoreFailure) in if number == 1 { throw .unavailable } }
        try write(untilCopy: 1)
        #expect(fileByteCount < 100 * Self.pageByteCount)
        try write(untilCopy: 2)
        #expect(fileByteCount > 900 * Self.pageByteCount)
        await copier.close()
    }

    @Test func `without a connection does not end the copies`() async throws {
        let attempts = LockedValue(0)
        try start(opening: { [copying] () throws(StoreFailure) in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            if attempt == 1 { throw .unavailable }
            return copying
        }) { _ in }
        try write(untilCopy: 1)
        #expect(fileByteCount < 100 * Self.pageByteCount)
        try write(untilCopy: 4)
        #expect(fileByteCount > 900 * Self.pageByteCount)
        // The second attempt is the last: the connection is kept.
        #expect(attempts.withLock { $0 } == 2)
        await copier.close()
    }

    @Test func `that fails on the writer's thread fails no job, and is tried again`() async throws {
        let (point, reader) = (
            StopPoint(), try SQLiteConnection(store.path, .readWrite, busyTimeout: .zero)
        )
        // The log cannot begin again while it is read. The last copy does not contain the next pages.
        try start { number throws(StoreFailure) in
            if number == 2 { try reader.execute("COMMIT") }
            try reader.execute(Self.beginReading)
            if number == 2 { point.stop() }
        }
        try write(untilCopy: 1)
        for _ in 0..<100 where !copier.isCopying { try write() }
        await point.waitUntilReached()
        for _ in 0..<4 { try write() }
        point.resume()
        try spinUntil { !copier.isCopying }
        try reader.execute("COMMIT")
        let copied = fileByteCount
        #expect(copied > 1500 * Self.pageByteCount)
        // Now the writer itself copies the rest, but not within a transaction.
        try write(between: { try writer.execute(Self.beginReading) })
        #expect(writer.failure == nil)
        try writer.execute("COMMIT")
        #expect(copyCount == 2)
        #expect(fileByteCount == copied)
        // So it tries again after the next commit.
        try write()
        #expect(copyCount == 2)
        #expect(fileByteCount > copied)
        let grown = logByteCount
        try write(untilCopy: 3)
        #expect(logByteCount == grown)
        await copier.close()
    }

    @Test func `is not made by the writer after a long read`() async throws {
        let point = StopPoint()
        let reader = try SQLiteConnection(store.path, .readWrite, busyTimeout: .zero)
        try start { number throws(StoreFailure) in
            if number == 1 { try reader.execute(Self.beginReading) }
            if number == 10 { point.stop() }
        }
        // While the log grows, a copy follows after each 1,000 pages, and not after each commit.
        try write(untilCopy: 9)
        let (grown, copied) = (logByteCount, fileByteCount)
        #expect(grown > 8900 * Self.pageByteCount)
        #expect(copied < 1100 * Self.pageByteCount)
        try reader.execute("COMMIT")
        for _ in 0..<100 where !copier.isCopying { try write() }
        await point.waitUntilReached()
        for _ in 0..<60 { try write() }
        #expect(fileByteCount == copied)
        point.resume()
        try spinUntil { !copier.isCopying }
        #expect(fileByteCount > 9900 * Self.pageByteCount)
        // Then it begins again.
        for _ in 0..<200 {
            try write()
            try spinUntil { !copier.isCopying }
        }
        #expect(logByteCount < grown + 5000 * Self.pageByteCount)
        await copier.close()
    }

    /// Some versions of SQLite damage the file if a copy begins while the log begins again.
    @Test func `does not begin after jobs that wrote nothing`() async throws {
        let point = StopPoint()
        try start { number throws(StoreFailure) in if number == 1 { point.stop() } }
        for _ in 0..<100 where !copier.isCopying { try write() }
        await point.waitUntilReached()
        // Enough for another copy.
        for _ in 0..<30 { try write() }
        #expect(copyCount == 1)
        point.resume()
        try spinUntil { !copier.isCopying }
        for _ in 0..<3 {
            try commit { connection throws(StoreFailure) in
                _ = try Tally.counts(on: connection)
            }
            #expect(!copier.isCopying)
        }
        #expect(copyCount == 1)
        try write(untilCopy: 2)
        await copier.close()
    }
}
