import Foundation
import PrivateFiles
import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import Storage
@testable import Verification

extension Statement {
    fileprivate static let synchronous = Statement("PRAGMA synchronous")
}

@Suite struct `A commit of a SQLite store` {
    private let store: TemporaryStore
    private let database: SQLiteDatabase

    init() throws {
        store = try TemporaryStore()
        database = try store.open()
    }

    /// The writer's connection has the setting 2 (FULL): a commit waits for the disk.
    @Test func `is on the disk before it is reported`() async throws {
        let setting = try await database.write { connection throws(StoreFailure) in
            try connection.rows(.synchronous, [])
        }
        #expect(setting == [Row([.integer(2)])])
        await database.close()
    }

    /// Otherwise each job would wait for the disk.
    @Test func `is shared by all waiting jobs`() async throws {
        let point = StopPoint()
        let held = Task { [database] in try await database.write { _ in point.stop() } }
        await point.waitUntilReached()
        let (jobs, groups) = (database.commits.jobs, database.commits.groups)
        let reported = AsyncStream<Int64?>.makeStream()
        for caller in 1...64 as ClosedRange<Int64> {
            let job = SubmittedJob { connection throws(StoreFailure) in
                try Tally.increment(caller, on: connection)
            } caller: { result in
                reported.continuation.yield(try? result.get())
            }
            _ = database.writing.append(job)
        }
        point.resume()
        try await held.value
        var left = 64
        for await count in reported.stream {
            #expect(count == 1)
            left -= 1
            if left == 0 { break }
        }
        #expect(database.commits.jobs == jobs + 64)
        #expect(database.commits.groups == groups + 1)
        await database.close()
    }
}

@Suite struct `A SQLite store` {
    /// The connection that copies the log is opened for the first copy.
    @Test func `opens its file once to write, and once for each thread that reads`() async throws {
        let store = try TemporaryStore()
        let database = try store.open()
        try await withThrowingTaskGroup { group in
            for caller in 1...64 as ClosedRange<Int64> {
                group.addTask {
                    _ = try await database.write { connection throws(StoreFailure) in
                        try Tally.increment(caller, on: connection)
                    }
                    _ = try await database.read(Tally.counts)
                }
            }
            try await group.waitForAll()
        }
        let threadCount = ProcessInfo.processInfo.activeProcessorCount
        #expect(try (2...1 + threadCount).contains(openFiles().count { $0 == store.path }))
        await database.close()
        #expect(try openFiles().count { $0 == store.path } == 0)
    }

    private func openFiles() throws -> [String] {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            // The descriptor that read the folder is closed now.
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
        }
    }
}
