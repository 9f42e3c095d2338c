import Storage
import StoreProgram
import TestSupport
import Testing
import Verification
import VerifierWorld

extension Statement {
    fileprivate static let insert = Statement("INSERT INTO tally (caller, count) VALUES ($1, $2)")
    fileprivate static let add = Statement("UPDATE tally SET count = count + $2 WHERE caller = $1")
    fileprivate static let double = Statement("UPDATE tally SET count = count * 2")
    fileprivate static let select = Statement("SELECT count FROM tally WHERE caller = $1")
}

/// PostgreSQL gets several changes at once, and their results are read later.
@Suite struct `Changes without a result` {
    private static let kinds = StoreKind.installed

    /// The outcome of each job of a group, and the counts in the end.
    private func outcomes(
        on kind: StoreKind,
        _ jobs: [Job<Int64>]
    ) async throws -> (outcomes: [Result<Int64, StoreFailure>], counts: [Int64: Int64]) {
        let store = try TestStore(kind, migrations: tallyMigrations)
        let database = try store.open(migrations: tallyMigrations)
        var group = JobGroup<Int64>()
        for job in jobs { group.add(job) }
        let outcomes = try await group.outcomes(in: database)
        let counts = try await database.read(Tally.counts)
        await database.close()
        return (outcomes, counts)
    }

    @Test(arguments: kinds)
    func `take effect in their order with all other statements`(_ kind: StoreKind) async throws {
        let job: Job<Int64> = { connection throws(StoreFailure) in
            try connection.change(.insert, [.integer(1), .integer(3)], rowCount: 1)
            try connection.change(.add, [.integer(1), .integer(4)], rowCount: 1)
            let early = try connection.rows(.select, [.integer(1)])[0].values[0].integer
            try connection.change(.double, [], rowCount: nil)
            try connection.change(.insert, [.integer(2), .integer(5)], rowCount: 1)
            let changed = try connection.run(.double, [])
            return early * 10 + Int64(changed)
        }
        let (outcomes, counts) = try await outcomes(on: kind, [job])
        #expect(outcomes == [.success(72)])
        #expect(counts == [1: 28, 2: 10])
    }

    @Test(arguments: kinds)
    func `can be many in one job`(_ kind: StoreKind) async throws {
        let job: Job<Int64> = { connection throws(StoreFailure) in
            for caller in 0..<Int64(300) {
                try connection.change(.insert, [.integer(caller), .integer(1)], rowCount: 1)
            }
            return 0
        }
        let (outcomes, counts) = try await outcomes(on: kind, [job])
        #expect(outcomes == [.success(0)])
        #expect(counts.count == 300)
    }

    /// The last change, or one with statements behind it.
    @Test(arguments: kinds, [true, false])
    func `of another number of rows fail their job only`(
        _ kind: StoreKind,
        _ isLast: Bool
    ) async throws {
        var jobs: [Job<Int64>] = []
        for caller in 0..<Int64(8) {
            let job: Job<Int64> = { connection throws(StoreFailure) in
                try connection.change(.insert, [.integer(caller), .integer(1)], rowCount: 1)
                let target = caller == 5 ? 99 : caller
                try connection.change(.add, [.integer(target), .integer(1)], rowCount: 1)
                guard !isLast else { return caller }
                try connection.change(.double, [], rowCount: nil)
                return try connection.rows(.select, [.integer(caller)])[0].values[0].integer
            }
            jobs.append(job)
        }
        let (outcomes, counts) = try await outcomes(on: kind, jobs)
        for (caller, outcome) in outcomes.enumerated() {
            if caller == 5 {
                #expect(outcome == .failure(.conflict))
            } else {
                #expect(throws: Never.self) { try outcome.get() }
            }
        }
        #expect(Set(counts.keys) == [0, 1, 2, 3, 4, 6, 7])
    }

    /// A job cannot hide the failure: the statements behind it do not run.
    @Test(arguments: kinds)
    func `that fail end their job, and keep the engine's reason`(_ kind: StoreKind) async throws {
        let job: Job<Int64> = { connection throws(StoreFailure) in
            try? connection.change(.insert, [.integer(1), .integer(1)], rowCount: 1)
            try? connection.change(.insert, [.integer(1), .integer(1)], rowCount: 1)
            try? connection.change(.insert, [.integer(2), .integer(1)], rowCount: 1)
            return 1
        }
        let (outcomes, counts) = try await outcomes(on: kind, [job])
        #expect(outcomes == [.failure(.conflict)])
        #expect(counts.isEmpty)
    }

    /// The job itself fails while its changes are not sent yet.
    @Test(arguments: kinds)
    func `of a job that fails are not kept`(_ kind: StoreKind) async throws {
        let failing: Job<Int64> = { connection throws(StoreFailure) in
            try connection.change(.insert, [.integer(1), .integer(1)], rowCount: 1)
            throw .conflict
        }
        let other: Job<Int64> = { connection throws(StoreFailure) in
            try connection.change(.insert, [.integer(2), .integer(1)], rowCount: 1)
            return 2
        }
        let (outcomes, counts) = try await outcomes(on: kind, [failing, other])
        #expect(outcomes == [.failure(.conflict), .success(2)])
        #expect(counts == [2: 1])
    }
}
