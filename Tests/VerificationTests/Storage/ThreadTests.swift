import Dispatch
import Foundation
import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import PrivateFiles
@testable import Storage
@testable import Verification

/// A call that ends a thread must wait for its end, in particular before the process ends.
@Suite struct `A thread of a store` {
    @Test(arguments: StoreKind.installed)
    func `has ended when the store is closed`(_ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: tallyMigrations)
        let database = try store.open(migrations: tallyMigrations)
        let ends = ThreadEnds()
        try await database.write { _ in ends.countThisThread() }
        // PostgreSQL has two threads for reads: while one is blocked, the other one runs the next job.
        let point = StopPoint()
        async let read: Void = database.scan { _ in
            ends.countThisThread()
            point.stop()
        }
        await point.waitUntilReached()
        try await database.scan { _ in ends.countThisThread() }
        point.resume()
        try await read
        if kind == .postgreSQL { #expect(ends.count == 0) }
        await database.close()
        #expect(ends.count == 3)
    }

    @Test(arguments: StoreKind.installed)
    func `is not left reading when the store is closed`(_ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: tallyMigrations)
        let database = try store.open(migrations: tallyMigrations)
        let point = StopPoint()
        let closed = DispatchSemaphore(value: 0)
        async let wasOpen = database.scan { _ in
            point.stop()
            // With an error of `close`, this takes no time.
            return closed.wait(timeout: .now() + .milliseconds(500)) == .timedOut
        }
        await point.waitUntilReached()
        async let closing: Void = {
            await database.close()
            closed.signal()
        }()
        point.resume()
        #expect(try await wasOpen)
        await closing
        await #expect(throws: StoreFailure.self) { try await database.read { _ in } }
    }

    /// Each one has a connection with its own memory, so a client must not get as many as it likes.
    @Test(arguments: StoreKind.installed)
    func `reads many rows for one of two callers at a time`(_ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: tallyMigrations)
        let database = try store.open(migrations: tallyMigrations)
        struct Reads {
            var now = 0
            var most = 0
        }
        let reads = LockedValue(Reads())
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await database.scan { connection in
                        reads.withLock { reads in
                            reads.now += 1
                            reads.most = max(reads.most, reads.now)
                        }
                        // Long enough that all others would begin meanwhile.
                        usleep(20_000)
                        reads.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(reads.withLock { $0.most } == 2)
        await database.close()
    }

    @Test func `has ended when opening the store fails`() throws {
        let queue = JobQueue()
        let ends = ThreadEnds()
        for _ in 0..<2 {
            try queue.startThread(takingUpTo: 1) { _ in
            } end: {
                ends.countThisThread()
            }
        }
        queue.abandon()
        #expect(ends.count == 2)
    }

    @Test func `leaves no memory behind if the store was not closed`() async throws {
        let ended = RunCount()
        let before = try bytesOfMemory()
        for _ in 0..<200 {
            let queue = JobQueue()
            try queue.startThread(takingUpTo: 1) { _ in
            } end: {
                ended.increment()
            }
            // As a store does that is no longer used.
            queue.refuse()
        }
        try await waitUntil { ended.value == 200 }
        // A thread's stack has 8 MiB, which are unmapped shortly after the end of the thread.
        try await waitUntil { try bytesOfMemory() - before < 100 * 8 << 20 }
    }

    /// The mapped memory of this process.
    private func bytesOfMemory() throws -> Int {
        let counts = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(counts.split(separator: " ").first.flatMap { Int($0) }) * 4096
    }

    @Test func `has ended when its only job is done`() async throws {
        let ends = ThreadEnds()
        try await PrivateFiles.Thread.run { ends.countThisThread() }.get()
        #expect(ends.count == 1)
    }
}

/// Counts the ends of the threads that were registered.
private final class ThreadEnds: Sendable {
    private let ended = RunCount()

    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key) { ended in
            guard let ended else { return }
            // Long enough that a caller that does not wait reads the count too early.
            usleep(50_000)
            Unmanaged<RunCount>.fromOpaque(ended).takeRetainedValue().increment()
        }
        return key
    }()

    var count: Int { ended.value }

    /// Registers the calling thread.
    func countThisThread() {
        pthread_setspecific(Self.key, Unmanaged.passRetained(ended).toOpaque())
    }
}
