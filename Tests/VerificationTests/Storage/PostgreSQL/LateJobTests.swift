import StoreProgram
import TestSupport
import Testing
import VerifierWorld

@testable import Storage

/// A group of jobs, of which some have waited for longer than the timeout.
@Suite(.needsPostgres) struct `Late jobs of a group` {
    private let server: PostgresServer
    private let opened: PostgresDatabase

    init() throws {
        server = try PostgresServer(syncs: false)
        let database = try server.makeDatabase()
        try PostgresDatabase.create(database, migrations: tallyMigrations)
        opened = try PostgresDatabase(
            database,
            migrations: tallyMigrations,
            timeout: .seconds(60)
        )
    }

    private func submit<Outcome: Sendable>(
        _ age: Duration,
        _ job: @escaping Job<Outcome>
    ) -> Task<Result<Outcome, StoreFailure>, Never> {
        let (results, caller) = AsyncStream<Result<Outcome, StoreFailure>>.makeStream()
        opened.writing.submit(
            SubmittedJob(job, submitted: .now - age) { caller.yield($0) }
        )
        return Task {
            for await result in results { return result }
            return .failure(.misuse)
        }
    }

    @Test func `fail at once, while the others wait for the server`() async throws {
        let old = Duration.seconds(120)
        let point = StopPoint()
        // It commits nothing, so no result of a commit is looked up.
        let blocking: Task<Result<Void, StoreFailure>, Never> = submit(old) {
            _ throws(StoreFailure) in
            point.stop()
            throw StoreFailure.misuse
        }
        await point.waitUntilReached()
        try server.kill()
        let late = submit(old) { connection throws(StoreFailure) in
            try Tally.increment(1, on: connection)
        }
        let fresh = submit(.zero) { connection throws(StoreFailure) in
            try Tally.increment(2, on: connection)
        }
        point.resume()
        _ = await blocking.value
        await #expect(throws: StoreFailure.unavailable) { try await late.value.get() }
        try server.start()
        #expect(try await fresh.value.get() == 1)
        #expect(try await opened.read(Tally.counts) == [2: 1])
        await opened.close()
    }
}
