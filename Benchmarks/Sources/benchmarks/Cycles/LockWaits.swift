import Dispatch

/// The connections of a PostgreSQL server that wait for locks, counted while it works.
struct LockWaits {
    /// The mean number of connections that wait for a lock.
    let waiting: Double
    /// The mean number of connections that run a statement, or wait in one.
    let active: Double

    /// Counts `count` times, every five milliseconds.
    static func counted(_ count: Int, on address: String) async throws -> LockWaits {
        let statements = [
            "CREATE TEMPORARY TABLE seen (waiting integer, active integer)",
            """
            DO $$ BEGIN FOR sample IN 1..\(count) LOOP
                PERFORM pg_stat_clear_snapshot();
                INSERT INTO seen
                    SELECT count(*) FILTER (WHERE wait_event_type = 'Lock'), count(*)
                    FROM pg_stat_activity
                    WHERE backend_type = 'client backend' AND state = 'active'
                        AND pid <> pg_backend_pid();
                PERFORM pg_sleep(0.005);
            END LOOP; END $$
            """,
            "SELECT avg(waiting)::float8 || ' ' || avg(active)::float8 FROM seen",
        ]
        let options = ["-XqAt", "-d", address] + statements.flatMap { ["-c", $0] }
        // The call blocks, so it needs a thread of its own.
        let output = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "lock waits").async {
                continuation.resume(with: Result { try Program.run("psql", options) })
            }
        }
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 2 else { throw BenchmarkFailure("psql: \(output)") }
        return LockWaits(waiting: numbers[0], active: numbers[1])
    }
}
