import Glibc

/// Runs one transaction after another, and reconnects if the connection is lost.
///
/// `@unchecked`: it belongs to one thread.
final class PostgresSession: @unchecked Sendable {
    private let address: PostgresAddress
    private var connection: PostgresConnection?

    init(_ address: PostgresAddress) {
        self.address = address
    }

    /// Runs a transaction, and retries it after a transient failure until the timeout.
    func run<Outcome>(
        _ transaction: (PostgresConnection) throws(PostgresFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        var retries = Retries(for: address.timeout)
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
        let new = try PostgresConnection(address)
        connection = new
        return new
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
    private let timeout: Duration
    /// Set at the first pause, so there is always a second run.
    private var end: ContinuousClock.Instant?
    private var maximumMicroseconds: UInt32 = 2_000

    init(for timeout: Duration) {
        self.timeout = timeout
    }

    /// Returns false after the timeout.
    mutating func pause() -> Bool {
        let end = end ?? .now + timeout
        self.end = end
        guard .now < end else { return false }
        usleep(.random(in: maximumMicroseconds / 2...maximumMicroseconds))
        maximumMicroseconds = min(maximumMicroseconds * 2, 200_000)
        return true
    }
}
