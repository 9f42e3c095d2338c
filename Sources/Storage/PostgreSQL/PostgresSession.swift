import Glibc

/// Runs one transaction after another, and reconnects if the connection is lost.
///
/// `@unchecked`: it belongs to one thread.
final class PostgresSession: @unchecked Sendable {
    private let address: PostgresAddress
    private let definitions: TableDefinitions
    private let maximumAge: Duration
    private var connection: PostgresConnection?
    /// The last attempt to connect, if it failed.
    private var failedConnection: (failure: PostgresFailure, end: ContinuousClock.Instant)?

    /// A connection that is older than `maximumAge` is replaced before the next transaction.
    ///
    /// A new one has compared the tables, and has no plan or setting of its past. While a table is
    /// exchanged, code of its owner can change both.
    init(_ address: PostgresAddress, _ definitions: TableDefinitions, maximumAge: Duration) {
        self.address = address
        self.definitions = definitions
        self.maximumAge = maximumAge
    }

    /// Runs the transaction of a group of jobs, and retries it after a transient failure until the
    /// timeout.
    ///
    /// The timeout begins with the submission of the first job. Jobs that waited longer get one
    /// attempt: otherwise each group of a long queue would wait for a timeout of its own. If a
    /// connection failed while they waited, this was their attempt. A commit with an unknown result
    /// has another timeout, so that its result is looked up.
    func run<Outcome>(
        _ jobs: [any PendingJob],
        isUncertain: () -> Bool = { false },
        _ transaction: (PostgresConnection) throws(PostgresFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        let first = jobs.map(\.submission).min() ?? .now
        if let failedConnection {
            let late = jobs.split(at: .now - address.timeout).before
            if let last = late.map(\.submission).max(), failedConnection.end > last {
                throw failedConnection.failure.storeFailure
            }
        }
        var retries = Retries(until: first + address.timeout)
        while true {
            do throws(PostgresFailure) {
                let connection = try connected()
                let outcome = try transaction(connection)
                try connection.rollBack()
                return outcome
            } catch {
                endTransaction(after: error)
                if isUncertain() { retries.extend(by: address.timeout) }
                guard error.isTransient, retries.pause() else { throw error.storeFailure }
            }
        }
    }

    /// Serves a group of jobs, and those of it that have time left again after the others failed.
    func serve(_ jobs: [any PendingJob], _ serve: ([any PendingJob]) throws(StoreFailure) -> Void) {
        do throws(StoreFailure) {
            try serve(jobs)
        } catch {
            let (late, left) = jobs.split(at: .now - address.timeout)
            for job in left.isEmpty || late.isEmpty ? jobs : late { job.fail(error) }
            if !late.isEmpty, !left.isEmpty { self.serve(left, serve) }
        }
    }

    /// Ends the session, after a last statement if it is still connected.
    func close(after lastStatement: (PostgresConnection) throws(PostgresFailure) -> Void = { _ in })
    {
        // `try?`: if the statement fails, its row stays until other writers register.
        if let connection { try? lastStatement(connection) }
        disconnect()
    }

    private func disconnect() {
        // `try?`: the session ends anyway. Without the read, the server would log a lost connection.
        try? connection?.finishRollback()
        connection = nil
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection, !connection.mayHaveWrongPlans,
            .now - connection.start < maximumAge
        {
            return connection
        }
        disconnect()
        do throws(PostgresFailure) {
            let new = try PostgresConnection(address, definitions)
            (connection, failedConnection) = (new, nil)
            return new
        } catch {
            failedConnection = (error, .now)
            throw error
        }
    }

    private func endTransaction(after failure: PostgresFailure) {
        do throws(PostgresFailure) {
            guard failure.kind != .lost else { throw failure }
            try connection?.rollBack()
        } catch {
            connection = nil
        }
    }
}

/// Exponential backoff with random pauses, so that nodes do not collide again.
private struct Retries {
    private var end: ContinuousClock.Instant
    /// Whether another run follows in any case, because one run can take longer than the timeout.
    private var isOwed: Bool
    private var isExtended = false
    private var maximumMicroseconds: UInt32 = 2_000

    init(until end: ContinuousClock.Instant) {
        self.end = end
        // The first run of late jobs is their only one.
        isOwed = .now < end
    }

    /// Has an effect once.
    mutating func extend(by timeout: Duration) {
        guard !isExtended else { return }
        (end, isOwed, isExtended) = (max(end, .now + timeout), true, true)
    }

    /// Returns false after the timeout.
    mutating func pause() -> Bool {
        guard isOwed || .now < end else { return false }
        isOwed = false
        usleep(.random(in: maximumMicroseconds / 2...maximumMicroseconds))
        maximumMicroseconds = min(maximumMicroseconds * 2, 200_000)
        return true
    }
}
