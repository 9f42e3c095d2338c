import StoreProgram
import Testing
import Verifier

extension Statement {
    fileprivate static let insert = Statement("INSERT INTO tally (caller, count) VALUES ($1, 1)")
}

@Suite struct `Writing to a SQLite store` {
    private let store: TemporaryStore
    private let database: SQLiteDatabase

    init() throws {
        store = try TemporaryStore()
        database = try store.open()
    }

    private func increment(_ caller: Int64) async throws(StoreFailure) -> Int64 {
        try await database.write { connection throws(StoreFailure) in
            try Tally.increment(caller, on: connection)
        }
    }

    /// Holds the writer's thread until it is let go, so that works gather in line.
    private func heldWriter() async -> StopPoint {
        let point = StopPoint()
        Task { try await database.write { _ in point.stop() } }
        await point.isReached()
        return point
    }

    private func counts() async throws -> [Int64: Int64] {
        try await database.read(Tally.counts)
    }

    @Test func `256 callers at once lose nothing and see no value twice`() async throws {
        let seen = try await withThrowingTaskGroup { group in
            for _ in 0..<256 {
                group.addTask {
                    var seen: [Int64] = []
                    for _ in 0..<8 { seen.append(try await increment(1)) }
                    return seen
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.sorted() == Array(1...2048))
        #expect(try await counts() == [1: 2048])
    }

    @Test func `a work that fails among 63 good ones fails alone`() async throws {
        let held = await heldWriter()
        async let failed = withTaskGroup { group in
            for caller in 1...64 {
                group.addTask {
                    await outcome { connection throws(StoreFailure) in
                        _ = try Tally.increment(Int64(caller), on: connection)
                        guard caller == 32 else { return }
                        try connection.run(.insert, [.integer(1)])
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        held.letGo()
        #expect(await failed == [.conflict])
        let expected = Set(1...64).subtracting([32])
        #expect(try await counts().keys.sorted() == expected.map(Int64.init).sorted())
    }

    @Test func `a work that throws leaves nothing`() async throws {
        let failure = await outcome { connection throws(StoreFailure) in
            _ = try Tally.increment(1, on: connection)
            throw .unavailable
        }
        #expect(failure == .unavailable)
        #expect(try await counts() == [:])
    }

    @Test func `a work that passes over a failed statement has failed`() async throws {
        let failure = await outcome { connection throws(StoreFailure) in
            try connection.run(.insert, [.integer(1)])
            do throws(StoreFailure) {
                try connection.run(.insert, [.integer(1)])
            } catch {}
        }
        #expect(failure == .conflict)
        #expect(try await counts() == [:])
        #expect(try await increment(1) == 1)
    }

    @Test func `a caller that is cancelled cancels no work`() async throws {
        let held = await heldWriter()
        let cancelled = Task { try await increment(1) }
        cancelled.cancel()
        held.letGo()
        #expect(try await cancelled.value == 1)
        #expect(try await counts() == [1: 1])
    }

    @Test func `a reader sees what was committed and nothing else`() async throws {
        #expect(try await increment(1) == 1)
        let point = StopPoint()
        let writing = Task {
            try await database.write { connection throws(StoreFailure) in
                _ = try Tally.increment(1, on: connection)
                point.stop()
            }
        }
        await point.isReached()
        #expect(try await counts() == [1: 1])
        point.letGo()
        try await writing.value
        #expect(try await counts() == [1: 2])
    }

    @Test func `a reader sees one state from its first statement to its last`() async throws {
        let point = StopPoint()
        async let both = database.read { connection throws(StoreFailure) in
            let first = try Tally.counts(on: connection)
            point.stop()
            return [first, try Tally.counts(on: connection)]
        }
        await point.isReached()
        _ = try await increment(1)
        point.letGo()
        let seen = try await both
        #expect(seen[0] == seen[1])
    }

    @Test func `a reader cannot write`() async throws {
        await #expect(throws: StoreFailure.readOnly) {
            try await database.read { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
        }
        #expect(try await counts() == [:])
    }

    @Test func `closing finishes what waits and refuses what comes after`() async throws {
        let held = await heldWriter()
        let waiting = Task { try await increment(1) }
        let closing = Task { await database.close() }
        held.letGo()
        let told = try? await waiting.value
        await closing.value
        #expect(await outcome { _ in } == .unavailable)
        await #expect(throws: StoreFailure.unavailable) { try await counts() }
        #expect(try store.contents().keys.sorted() == ["store.db"])
        let reopened = try store.open()
        #expect(try await reopened.read(Tally.counts) == (told == nil ? [:] : [1: 1]))
        await reopened.close()
        await database.close()
    }

    @Test func `another process that holds the file makes it busy, and no work is done`()
        async throws
    {
        let other = try store.open(busyTimeout: .milliseconds(50))
        let held = await heldWriter()
        await #expect(throws: StoreFailure.busy) {
            try await other.write { connection throws(StoreFailure) in
                try Tally.increment(1, on: connection)
            }
        }
        #expect(try await other.read(Tally.counts) == [:])
        held.letGo()
        #expect(try await increment(1) == 1)
        await other.close()
    }

    private func outcome(_ work: @escaping Work<Void>) async -> StoreFailure? {
        do throws(StoreFailure) {
            try await database.write(work)
            return nil
        } catch {
            return error
        }
    }
}
