import CPostgres
import Glibc

/// One session with a server and the statements that were prepared in it.
///
/// `@unchecked`: who opened it hands it to one thread, and only that one uses it from then on.
final class PostgresConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// How long a statement may wait for others; nil for as long as it takes.
    private let timeout: Duration?
    private var prepared: [PreparedStatement: String] = [:]
    /// What the first statement that failed in this work said.
    var trouble: PostgresFailure?

    /// A null has no type, so that one text may be prepared more than once.
    private struct PreparedStatement: Hashable {
        let text: UnsafePointer<UInt8>
        let types: [Oid]
    }

    init(_ address: PostgresAddress, isPatient: Bool = false) throws(PostgresFailure) {
        guard let handle = address.connect() else { throw .lost }
        self.handle = handle
        timeout = isPatient ? nil : address.timeout
        guard PQstatus(handle) == CONNECTION_OK else { throw .lost }
        // libpq would print what a server remarks.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        guard Self.setting("server_encoding", of: handle) == "UTF8" else {
            throw .refused(.foreign)
        }
        try configure(idleLimit: address.timeout)
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether nothing is left of a transaction, nor of the connection.
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// Whether the server has said since that it takes no writes in sessions like this one.
    var isDemoted: Bool {
        ["default_transaction_read_only", "in_hot_standby"].contains { name in
            Self.setting(name, of: handle) == "on"
        }
    }

    /// What a server said last of one of the settings whose changes it tells without being asked.
    private static func setting(_ name: String, of handle: OpaquePointer) -> String? {
        PQparameterStatus(handle, name).map { String(cString: $0) }
    }

    private func configure(idleLimit: Duration) throws(PostgresFailure) {
        let limit = timeout?.inMilliseconds ?? 0
        _ = try execute(
            """
            SET lock_timeout = \(limit);
            SET statement_timeout = \(limit * 2);
            SET idle_in_transaction_session_timeout = \(idleLimit.inMilliseconds);
            SET synchronous_commit = on;
            """
        )
    }

    /// Runs statements that are not kept prepared; numbers come as text.
    func execute(_ script: String) throws(PostgresFailure) -> [PostgresResult] {
        try answers { PQsendQuery(handle, script) }
    }

    private func answers(_ send: () -> Int32) throws(PostgresFailure) -> [PostgresResult] {
        guard send() == 1 else {
            throw PQstatus(handle) == CONNECTION_OK ? .refused(.misuse) : .lost
        }
        // The server gives up first: who waits longer has lost it.
        let end = timeout.map { ContinuousClock.now + $0 * 2 + .seconds(1) }
        var answers: [PostgresResult] = []
        while let answer = try nextAnswer(before: end) { answers.append(answer) }
        for answer in answers { if let failure = answer.failure { throw failure } }
        return answers
    }

    private func nextAnswer(
        before end: ContinuousClock.Instant?
    ) throws(PostgresFailure) -> PostgresResult? {
        while PQisBusy(handle) == 1 {
            let rest = end.map { ($0 - .now).inMilliseconds } ?? -1
            guard end == nil || rest > 0 else { throw .lost }
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            poll(&socket, 1, Int32(clamping: rest))
            guard socket.revents == 0 || PQconsumeInput(handle) == 1 else { throw .lost }
        }
        return PQgetResult(handle).map { PostgresResult($0) }
    }
}

extension PostgresConnection: JobConnection {
    var failure: StoreFailure? { trouble?.storeFailure }

    @discardableResult
    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int {
        try perform(statement, values) { answer in answer.changedRowCount }
    }

    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row] {
        try perform(statement, values) { answer throws(PostgresFailure) in try answer.rows }
    }

    private func perform<Outcome>(
        _ statement: Statement,
        _ values: [SQLValue],
        _ read: (PostgresResult) throws(PostgresFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        do throws(PostgresFailure) {
            if let trouble { throw trouble }
            let parameters = try PostgresParameters(values)
            let name = try prepare(statement, parameters.types)
            let answers = try answers {
                parameters.withPointers { count, values, lengths, formats in
                    PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
                }
            }
            guard let answer = answers.first else { throw .lost }
            return try read(answer)
        } catch {
            trouble = error
            throw error.storeFailure
        }
    }

    private func prepare(
        _ statement: Statement,
        _ types: [Oid]
    ) throws(PostgresFailure) -> String {
        let key = PreparedStatement(text: statement.text.utf8Start, types: types)
        if let known = prepared[key] { return known }
        let name = "s\(prepared.count)"
        _ = try answers {
            PQsendPrepare(handle, name, "\(statement.text)", Int32(types.count), types)
        }
        prepared[key] = name
        return name
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
