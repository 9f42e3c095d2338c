import Foundation
import StoreProgram
import Testing
import VerifierWorld

@testable import PrivateFiles
@testable import Storage
@testable import Verification

/// Nobody may go on, least of all to the end of the process, while one of them ends.
@Suite struct `A thread that works for a store` {
    @Test(arguments: StoreKind.installed)
    func `has ended when the store is closed`(_ kind: StoreKind) async throws {
        let store = try TestStore(kind, migrations: tallyMigrations)
        let database = try store.open(migrations: tallyMigrations)
        let ends = ThreadEnds()
        try await database.write { _ in ends.expectOne() }
        // One that is held leaves the next work to another.
        let point = StopPoint()
        async let read: Void = database.read { _ in
            ends.expectOne()
            point.stop()
        }
        await point.isReached()
        try await database.read { _ in ends.expectOne() }
        point.letGo()
        try await read
        #expect(ends.count == 0)
        await database.close()
        #expect(ends.count == 3)
    }

    @Test func `has ended when the store turns out not to open`() throws {
        let queues = JobQueues()
        let ends = ThreadEnds()
        try queues.writing.startThread(takingUpTo: 1) { _ in
        } end: {
            ends.expectOne()
        }
        try queues.reading.startThread(takingUpTo: 1) { _ in
        } end: {
            ends.expectOne()
        }
        queues.abandon()
        #expect(ends.count == 2)
    }

    @Test func `leaves nothing behind where nobody closed the store`() async throws {
        let ended = RunCount()
        let before = try bytesOfMemory()
        for _ in 0..<200 {
            try JobQueues().reading.startThread(takingUpTo: 1) { _ in
            } end: {
                ended.increment()
            }
        }
        while ended.value < 200 { await Task.yield() }
        // A thread's stack is of 8 MiB, most of which is never touched; it goes a moment later.
        let end = ContinuousClock.now + .seconds(120)
        while try bytesOfMemory() - before >= 100 * 8 << 20, .now < end { await Task.yield() }
        #expect(try bytesOfMemory() - before < 100 * 8 << 20)
    }

    /// What this process has mapped.
    private func bytesOfMemory() throws -> Int {
        let counts = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(counts.split(separator: " ").first.flatMap { Int($0) }) * 4096
    }

    @Test func `has ended when what it alone was there for is done`() async throws {
        let ends = ThreadEnds()
        try await PrivateFiles.Thread.run { ends.expectOne() }.get()
        #expect(ends.count == 1)
    }
}

/// How many threads have ended since they were asked to be counted.
private final class ThreadEnds: Sendable {
    private let ended = RunCount()

    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key) { ended in
            guard let ended else { return }
            // Long enough for whoever does not wait to be seen to go on.
            usleep(50_000)
            Unmanaged<RunCount>.fromOpaque(ended).takeRetainedValue().increment()
        }
        return key
    }()

    var count: Int { ended.value }

    /// Has the thread that calls this counted at its end.
    func expectOne() {
        pthread_setspecific(Self.key, Unmanaged.passRetained(ended).toOpaque())
    }
}
