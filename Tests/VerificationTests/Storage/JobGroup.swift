import Storage

/// Jobs that wait at the same time, so that a store commits them together.
struct JobGroup<Outcome: Sendable> {
    var jobs: [(queries: [Query], job: Job<Outcome>)] = []

    mutating func add(reading queries: [Query] = [], _ job: @escaping Job<Outcome>) {
        jobs.append((queries, job))
    }

    /// The outcome of each job; the writer is blocked until all jobs are on their way.
    func outcomes(
        in database: any Database,
        whenStarted: @escaping () async -> Void = {}
    ) async throws -> [Result<Outcome, StoreFailure>] {
        let point = StopPoint()
        // `try?`: a test may end the connection meanwhile.
        let blocking = Task { try? await database.write { _ in point.stop() } }
        await point.waitUntilReached()
        let outcomes = await Self.outcomes(of: jobs) { queries, job throws(StoreFailure) in
            try await database.write(reading: queries, job)
        } whenStarted: {
            await whenStarted()
            point.resume()
        }
        await blocking.value
        return outcomes
    }

    /// The same for jobs that read; both readers of PostgreSQL are blocked until all are on their way.
    func outcomesOfReads(
        in database: any Database,
        whenStarted: @escaping () async -> Void = {}
    ) async -> [Result<Outcome, StoreFailure>] {
        let points = [StopPoint(), StopPoint()]
        // `try?`: a test may end the connection meanwhile.
        let blocking = points.map { point in
            Task { try? await database.scan { _ in point.stop() } }
        }
        for point in points { await point.waitUntilReached() }
        let outcomes = await Self.outcomes(of: jobs) { queries, job throws(StoreFailure) in
            try await database.read(reading: queries, job)
        } whenStarted: {
            await whenStarted()
            for point in points { point.resume() }
        }
        for task in blocking { await task.value }
        return outcomes
    }

    private static func outcomes(
        of jobs: [(queries: [Query], job: Job<Outcome>)],
        _ run:
            @escaping @Sendable (
                [Query], @escaping Job<Outcome>
            ) async throws(StoreFailure) -> Outcome,
        whenStarted: () async -> Void
    ) async -> [Result<Outcome, StoreFailure>] {
        let (started, starting) = AsyncStream<Void>.makeStream()
        let tasks = jobs.map { queries, job in
            Task {
                starting.yield()
                do throws(StoreFailure) {
                    return Result<Outcome, StoreFailure>.success(try await run(queries, job))
                } catch {
                    return .failure(error)
                }
            }
        }
        for await _ in started.prefix(jobs.count) {}
        await whenStarted()
        var outcomes: [Result<Outcome, StoreFailure>] = []
        for task in tasks { outcomes.append(await task.value) }
        return outcomes
    }
}
