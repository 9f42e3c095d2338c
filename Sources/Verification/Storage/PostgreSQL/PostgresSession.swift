import Glibc

/// One transaction after the other, on a connection that is opened again when it was lost.
///
/// `@unchecked`: it belongs to one thread.
final class PostgresSession: @unchecked Sendable {
    private let address: PostgresAddress
    private var connection: PostgresConnection?

    init(_ address: PostgresAddress) {
        self.address = address
    }

    /// Runs a transaction, again and again while another run may help and patience lasts.
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
                guard error.mayPass, retries.pause() else { throw error.storeFailure }
            }
        }
    }

    /// Ends the session, after a last statement if there still is one.
    func close(saying farewell: (PostgresConnection) throws(PostgresFailure) -> Void = { _ in }) {
        // Nothing depends on it.
        if let connection { try? farewell(connection) }
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
            guard failure != .lost else { throw failure }
            try connection?.rollBack()
        } catch {
            connection = nil
        }
    }
}

/// Pauses that grow, each of random length so that nodes do not meet again.
private struct Retries {
    private let timeout: Duration
    /// Known from the first pause on: however long the first run took, there is a second one.
    private var end: ContinuousClock.Instant?
    private var longest: UInt32 = 2_000

    init(for timeout: Duration) {
        self.timeout = timeout
    }

    /// False once there is no more time.
    mutating func pause() -> Bool {
        let end = end ?? .now + timeout
        self.end = end
        guard .now < end else { return false }
        usleep(.random(in: longest / 2...longest))
        longest = min(longest * 2, 200_000)
        return true
    }
}
