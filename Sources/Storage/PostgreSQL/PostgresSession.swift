import Glibc

/// Runs one transaction after another, and reconnects if the connection is lost.
///
/// `@unchecked`: it belongs to one thread.
final class PostgresSession: @unchecked Sendable {
    private let address: PostgresAddress
    private var connection: PostgresConnection?
    /// The last attempt to connect, if it failed.
    private var failedConnection: (failure: PostgresFailure, end: ContinuousClock.Instant)?

    init(_ address: PostgresAddress) {
        self.address = address
    }

    /// Runs a transaction, and retries it after a transient failure until the timeout.
    ///
    /// The timeout begins with the submission of its first job. Jobs that waited longer get one
    /// attempt: otherwise each group of a long queue would wait for a timeout of its own. If a
    /// connection failed while they waited, this was their attempt.
    func run<Outcome>(
        submitted submission: ContinuousClock.Instant,
        _ transaction: (PostgresConnection) throws(PostgresFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        var retries = Retries(until: submission + address.timeout)
        if retries.isLate, let failedConnection, failedConnection.end > submission {
            throw failedConnection.failure.storeFailure
        }
        while true {
            do throws(PostgresFailure) {
                let connection = try connected()
                let outcome = try transaction(connection)
                try connection.rollBack()
                return outcome
            } catch {
                endTransaction(after: error)
                guard error.isTransient, retries.pause() else { throw error.storeFailure }
            }
        }
    }

    /// Ends the session, after a last statement if it is still connected.
    func close(after lastStatement: (PostgresConnection) throws(PostgresFailure) -> Void = { _ in })
    {
        // `try?`: if the statement fails, its row stays until other writers register.
        if let connection { try? lastStatement(connection) }
        connection = nil
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        do throws(PostgresFailure) {
            let new = try PostgresConnection(address)
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
    private let end: ContinuousClock.Instant
    /// Whether the first run began too late for another one.
    let isLate: Bool
    /// Not late, because one run can take longer than the timeout.
    private var isOwed: Bool
    private var maximumMicroseconds: UInt32 = 2_000

    init(until end: ContinuousClock.Instant) {
        self.end = end
        isLate = .now >= end
        isOwed = !isLate
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
