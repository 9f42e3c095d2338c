import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import Verifier

@Suite struct `A commit of a SQLite store` {
    private let store: TemporaryStore
    private let database: SQLiteDatabase

    init() throws {
        store = try TemporaryStore()
        database = try store.open()
    }

    private func increment(_ caller: Int64) async throws {
        _ = try await database.write { connection throws(StoreFailure) in
            try Tally.increment(caller, on: connection)
        }
    }

    /// How often the disk was to keep the log of this store.
    private func syncCount(during body: () async throws -> Void) async throws -> Int {
        try await syncedFiles(during: body).count { $0.hasSuffix(store.path + "-wal") }
    }

    @Test func `is on the disk before anybody is told`() async throws {
        try await increment(1)
        let count = try await syncCount {
            for caller in 2...11 as ClosedRange<Int64> { try await increment(caller) }
        }
        #expect(count == 10)
        await database.close()
    }

    /// Without that, each of them would wait for the disk.
    @Test func `is one for all works that wait`() async throws {
        try await increment(0)
        let point = StopPoint()
        let held = Task { [database] in try await database.write { _ in point.stop() } }
        await point.isReached()
        let (works, groups) = (database.commits.works, database.commits.groups)
        let told = AsyncStream<Int64?>.makeStream()
        for caller in 1...64 as ClosedRange<Int64> {
            let work = CallersWork { connection throws(StoreFailure) in
                try Tally.increment(caller, on: connection)
            } caller: { result in
                told.continuation.yield(try? result.get())
            }
            database.lines.writing.append(work)
        }
        let syncs = try await syncCount {
            point.letGo()
            try await held.value
            var left = 64
            for await count in told.stream {
                #expect(count == 1)
                left -= 1
                if left == 0 { break }
            }
        }
        #expect(database.commits.works == works + 64)
        #expect(database.commits.groups == groups + 1)
        // What held the writer wrote nothing.
        #expect(syncs == 1)
        await database.close()
    }
}
