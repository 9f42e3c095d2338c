import Sealing
import Storage
import StoreProgram
import Testing
import Verification
import VerifierWorld

extension Statement {
    fileprivate static let insert = Statement("INSERT INTO tally (caller, count) VALUES ($1, 1)")
}

/// An open store with the operations of tests.
private struct OpenStore: Sendable {
    let store: TestStore
    let database: any Database

    init(_ kind: StoreKind) throws {
        store = try TestStore(kind, migrations: tallyMigrations)
        database = try store.open(migrations: tallyMigrations)
    }

    func increment(_ caller: Int64) async throws(StoreFailure) -> Int64 {
        try await database.write { connection throws(StoreFailure) in
            try Tally.increment(caller, on: connection)
        }
    }

    /// Blocks the writer's thread until it is resumed, so that jobs wait in the queue.
    func blockedWriter() async -> StopPoint {
        let point = StopPoint()
        Task { try await database.write { _ in point.stop() } }
        await point.waitUntilReached()
        return point
    }

    func counts() async throws -> [Int64: Int64] {
        try await database.read(Tally.counts)
    }

    func outcome(_ job: @escaping Job<Void>) async -> StoreFailure? {
        do throws(StoreFailure) {
            try await database.write(job)
            return nil
        } catch {
            return error
        }
    }
}

private final class Shared: SharedData {
    let caller: Int
    /// The callers whose rows are written at the end of the commit.
    var left: [Int64] = []
    private let atCommit: () -> Void

    init(_ caller: Int, atCommit: @escaping () -> Void = {}) {
        self.caller = caller
        self.atCommit = atCommit
    }

    func committed() { atCommit() }

    func undoJob() { left = [] }

    func isCommitted(on connection: any SQLConnection) -> Bool { true }

    func write(on connection: any SQLConnection) throws(StoreFailure) {
        for caller in left { try connection.run(.insert, [.integer(caller)]) }
        left = []
    }
}

@Suite struct `Writing to a store` {
    @Test(arguments: StoreKind.installed)
    func `256 concurrent callers lose no increment and see no value twice`(_ kind: StoreKind)
        async throws
    {
        let open = try OpenStore(kind)
        let seen = try await withThrowingTaskGroup { group in
            for _ in 0..<256 {
                group.addTask {
                    var seen: [Int64] = []
                    for _ in 0..<8 { seen.append(try await open.increment(1)) }
                    return seen
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.sorted() == Array(1...2048))
        #expect(try await open.counts() == [1: 2048])
    }

    @Test(arguments: StoreKind.installed)
    func `a failed job does not affect 63 jobs of the same commit`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        // The row exists before the job that fails to insert it.
        _ = try await open.increment(1)
        let blocked = await open.blockedWriter()
        async let failed = withTaskGroup { group in
            for caller in 1...64 {
                group.addTask {
                    await open.outcome { connection throws(StoreFailure) in
                        _ = try Tally.increment(Int64(caller), on: connection)
                        guard caller == 32 else { return }
                        try connection.run(.insert, [.integer(1)])
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        blocked.resume()
        #expect(await failed == [.conflict])
        let expected = Set(1...64).subtracting([32])
        #expect(try await open.counts().keys.sorted() == expected.map(Int64.init).sorted())
    }

    @Test(arguments: StoreKind.installed)
    func `a failed job leaves nothing for the jobs of the same commit`(_ kind: StoreKind)
        async throws
    {
        let open = try OpenStore(kind)
        let blocked = await open.blockedWriter()
        async let failed = withTaskGroup { group in
            for caller in 1...64 {
                group.addTask {
                    await open.outcome { connection throws(StoreFailure) in
                        let earlier = connection.shared as? Shared
                        connection.shared = Shared(caller)
                        _ = try Tally.increment(Int64(caller), on: connection)
                        if caller == 32 || earlier?.caller == 32 { throw .unavailable }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        blocked.resume()
        // Only the job itself.
        #expect(await failed == [.unavailable])
        #expect(try await open.database.read { $0.shared == nil })
    }

    @Test(arguments: StoreKind.installed)
    func `jobs of the same commit share data until its end`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        let blocked = await open.blockedWriter()
        let found = try await withThrowingTaskGroup { group in
            for caller in 1...64 {
                group.addTask {
                    try await open.database.write { connection in
                        defer { connection.shared = Shared(caller) }
                        return connection.shared == nil
                    }
                }
            }
            blocked.resume()
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // The first job of each commit; there are fewer commits than jobs.
        #expect((1..<64).contains(found))
        #expect(try await open.database.write { $0.shared == nil })
    }

    /// The head of the trail is written like this: once for all jobs of a commit.
    @Test(arguments: StoreKind.installed, [nil, 32])
    func `a write that jobs leave to the end of their commit is made for all that succeed`(
        _ kind: StoreKind,
        failing: Int?
    ) async throws {
        let open = try OpenStore(kind)
        let blocked = await open.blockedWriter()
        async let failed = withTaskGroup { group in
            for caller in 1...64 {
                group.addTask {
                    await open.outcome { connection throws(StoreFailure) in
                        let shared = connection.shared as? Shared ?? Shared(caller)
                        shared.left.append(Int64(caller))
                        connection.shared = shared
                        if caller == failing { throw .unavailable }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        blocked.resume()
        #expect(await failed == (failing == nil ? [] : [.unavailable]))
        let expected = Set(1...64).subtracting(failing.map { [$0] } ?? [])
        #expect(try await open.counts().keys.sorted() == expected.map(Int64.init).sorted())
    }

    /// Otherwise the next jobs would not know what these wrote.
    @Test(arguments: StoreKind.installed, [false, true])
    func `shared data are notified of a commit before the next job runs, and not after a failure`(
        _ kind: StoreKind,
        fails: Bool
    ) async throws {
        let open = try OpenStore(kind)
        let blocked = await open.blockedWriter()
        let commits = RunCount()
        async let failure = open.outcome { connection throws(StoreFailure) in
            connection.shared = Shared(1, atCommit: { commits.increment() })
            _ = try Tally.increment(1, on: connection)
            if fails { throw .conflict }
        }
        blocked.resume()
        #expect(await failure == (fails ? .conflict : nil))
        let seen = try await open.database.write { _ in commits.value }
        #expect(seen == (fails ? 0 : 1))
    }

    @Test(arguments: StoreKind.installed)
    func `a write at the end of a commit that fails leaves nothing of its jobs`(_ kind: StoreKind)
        async throws
    {
        let open = try OpenStore(kind)
        let commits = RunCount()
        let failure = await open.outcome { connection throws(StoreFailure) in
            _ = try Tally.increment(1, on: connection)
            let shared = Shared(1) { commits.increment() }
            // The second one is a conflict.
            shared.left = [2, 2]
            connection.shared = shared
        }
        #expect(failure == .conflict)
        #expect(commits.value == 0)
        #expect(try await open.counts() == [:])
    }

    @Test(arguments: StoreKind.installed)
    func `a job that throws changes nothing`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        let failure = await open.outcome { connection throws(StoreFailure) in
            _ = try Tally.increment(1, on: connection)
            throw .unavailable
        }
        #expect(failure == .unavailable)
        #expect(try await open.counts() == [:])
    }

    @Test(arguments: StoreKind.installed)
    func `a job that ignores a failed statement fails`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        let failure = await open.outcome { connection throws(StoreFailure) in
            try connection.run(.insert, [.integer(1)])
            do throws(StoreFailure) {
                try connection.run(.insert, [.integer(1)])
            } catch {}
        }
        #expect(failure == .conflict)
        #expect(try await open.counts() == [:])
        #expect(try await open.increment(1) == 1)
    }

    @Test(arguments: StoreKind.installed)
    func `a cancelled caller does not cancel its job`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        let blocked = await open.blockedWriter()
        let cancelled = Task { try await open.increment(1) }
        cancelled.cancel()
        blocked.resume()
        #expect(try await cancelled.value == 1)
        #expect(try await open.counts() == [1: 1])
    }

    @Test(arguments: StoreKind.installed)
    func `a reader sees only committed changes`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        #expect(try await open.increment(1) == 1)
        let point = StopPoint()
        let writing = Task {
            try await open.database.write { connection throws(StoreFailure) in
                _ = try Tally.increment(1, on: connection)
                point.stop()
            }
        }
        await point.waitUntilReached()
        #expect(try await open.counts() == [1: 1])
        point.resume()
        try await writing.value
        #expect(try await open.counts() == [1: 2])
    }

    @Test(arguments: StoreKind.installed)
    func `a reader sees one state from its first statement to its last`(_ kind: StoreKind)
        async throws
    {
        let open = try OpenStore(kind)
        let point = StopPoint()
        async let both = open.database.read { connection throws(StoreFailure) in
            let first = try Tally.counts(on: connection)
            point.stop()
            return [first, try Tally.counts(on: connection)]
        }
        await point.waitUntilReached()
        _ = try await open.increment(1)
        point.resume()
        let seen = try await both
        #expect(seen[0] == seen[1])
    }

    @Test(arguments: StoreKind.installed)
    func `a reader cannot write`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        await #expect(throws: StoreFailure.readOnly) {
            try await open.database.read { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
        }
        #expect(try await open.counts() == [:])
    }

    @Test(arguments: StoreKind.installed)
    func `closing finishes waiting jobs and refuses later jobs`(_ kind: StoreKind) async throws {
        let open = try OpenStore(kind)
        let blocked = await open.blockedWriter()
        // It returns when the job is in the queue.
        let waiting = Task.immediate { try await open.increment(1) }
        let closing = Task { await open.database.close() }
        blocked.resume()
        _ = try await waiting.value
        await closing.value
        #expect(await open.outcome { _ in } == .unavailable)
        await #expect(throws: StoreFailure.unavailable) { try await open.counts() }
        let reopened = try open.store.open(migrations: tallyMigrations)
        #expect(try await reopened.read(Tally.counts) == [1: 1])
        await reopened.close()
        await open.database.close()
    }

    @Test(arguments: StoreKind.installed)
    func `a job fails as busy while another process holds the store`(_ kind: StoreKind)
        async throws
    {
        let open = try OpenStore(kind)
        let other = try open.store.open(
            migrations: tallyMigrations,
            timeout: .seconds(1)
        )
        let blocked = await open.blockedWriter()
        await #expect(throws: StoreFailure.busy) {
            try await other.write { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
        }
        #expect(try await other.read(Tally.counts) == [:])
        blocked.resume()
        #expect(try await open.increment(1) == 1)
        await other.close()
    }

    @Test func `closing a SQLite store leaves one file`() async throws {
        let store = try TemporaryStore()
        let database = try store.open()
        _ = try await database.write { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        await database.close()
        #expect(try store.contents().keys.sorted() == ["store.db"])
    }
}
