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
