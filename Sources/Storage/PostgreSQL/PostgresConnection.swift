import CPostgres
import Glibc

/// One session with a server and the statements that were prepared in it.
///
/// `@unchecked`: its creator passes it to one thread, which alone uses it from then on.
final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// How long a statement may wait for a lock; nil means without a limit.
    private let timeout: Duration?
    /// Nil while the tables are created.
    private let definitions: TableDefinitions?
    let start = ContinuousClock.now
    private let warnings = Warnings()
    private var prepared: [PreparationKey: PreparedStatement] = [:]
    /// The first failure that is known, of this job or an earlier one of its group.
    var firstFailure: PostgresFailure?
    var shared: (any SharedData)?
    /// The results that were not read yet.
    var unreadResults: [ExpectedResult] = []
    var prefetched = PrefetchedResults()
    /// Whether a change had another effect than expected, for example because of a rule.
    ///
    /// Then the plans of this session can be wrong: the server keeps a plan without effect after the
    /// rule was dropped.
    var mayHaveWrongPlans = false

    /// Whether the transaction is a scan, whose statements may take long.
    var isScanning = false

    /// The timeout of one statement of a scan.
    static let scanTimeout = Duration.seconds(5 * 60)

    /// Whether a `ROLLBACK` was sent whose result was not read yet.
    private(set) var isRollingBack = false

    /// A null has no type, so a statement may be prepared several times.
    private struct PreparationKey: Hashable {
        let statement: ObjectIdentifier
        let types: [Oid]
    }

    private struct PreparedStatement {
        let name: String
        /// Kept, because its identity is part of the key.
        let statement: Statement
    }

    /// A prepared statement with its values.
    struct BoundStatement {
        fileprivate let name: String
        fileprivate let parameters: PostgresParameters
    }

    init(
        _ address: PostgresAddress,
        _ definitions: TableDefinitions?,
        waitsForever: Bool = false
    ) throws(PostgresFailure) {
        if let path = address.openPasswordFile { throw .openPasswordFile(path) }
        guard let handle = address.connect() else { throw .lost }
        self.handle = handle
        timeout = waitsForever ? nil : address.timeout
        self.definitions = definitions
        guard PQstatus(handle) == CONNECTION_OK else {
            throw .unconnected(String(cString: PQerrorMessage(handle)))
        }
        if let failure = address.protection.failure(of: handle) { throw .refused(failure) }
        warnings.collect(of: handle)
        guard Self.setting("server_encoding", of: handle) == "UTF8" else {
            throw .refused(.foreign)
        }
        try configure(idleLimit: address.timeout)
        if let definitions { try compareTables(with: definitions) }
    }

    deinit {
        PQfinish(handle)
    }

    /// Whether the connection is open and has no transaction.
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// Whether the server has reported that it no longer accepts writes.
    var isDemoted: Bool {
        ["default_transaction_read_only", "in_hot_standby"].contains { name in
            Self.setting(name, of: handle) == "on"
        }
    }

    /// The last value of one of the settings whose changes the server reports by itself.
    private static func setting(_ name: String, of handle: OpaquePointer) -> String? {
        PQparameterStatus(handle, name).map { String(cString: $0) }
    }

    private func configure(idleLimit: Duration) throws(PostgresFailure) {
        let limit = timeout?.inMilliseconds ?? 0
        _ = try execute(
            """
            SET client_min_messages = warning;
            SET lock_timeout = \(limit);
            SET statement_timeout = \(limit * 2);
            SET idle_in_transaction_session_timeout = \(idleLimit.inMilliseconds);
            SET synchronous_commit = on;
            SET row_security = off;
            SET quote_all_identifiers = off;
            \(PostgresCatalog.fixSearchPath);
            """
        )
        // Since version 17. An audit is one transaction of minutes.
        guard PQserverVersion(handle) >= 170_000 else { return }
        _ = try execute("SET transaction_timeout = 0")
    }

    func compareTables(with definitions: TableDefinitions) throws(PostgresFailure) {
        let results: [PostgresResult]
        do throws(PostgresFailure) {
            results = try execute(PostgresCatalog.facts(about: definitions.tables))
        } catch {
            throw error.ofComparison
        }
        let facts = results[0].pairs.map { TableFact(table: $0, text: $1) }
        // The only row without a table.
        let version = facts.first { $0.table.isEmpty }.flatMap { Int($0.text) }
        let ofTables = facts.filter { !$0.table.isEmpty }
        if let failure = definitions.failure(of: ofTables, version: version) {
            throw .refused(failure)
        }
    }

    /// Commits, and fails if the server warns: another session can have cancelled the wait for a standby.
    func commitWithoutWarnings(_ script: String) throws(PostgresFailure) -> [PostgresResult] {
        try readResults()
        try finishRollback()
        warnings.forget()
        let results = try execute(script)
        guard warnings.isEmpty else { throw .lost }
        return results
    }

    /// Runs statements without keeping them prepared; numbers are returned as text.
    func execute(_ script: String) throws(PostgresFailure) -> [PostgresResult] {
        try readResults()
        return try results { PQsendQuery(handle, script) }
    }

    private func results(_ send: () -> Int32) throws(PostgresFailure) -> [PostgresResult] {
        try finishRollback()
        try check(send())
        var results: [PostgresResult] = []
        while let result = try nextResult() { results.append(result) }
        for result in results { if let failure = result.failure { throw failure } }
        return results
    }

    /// Sends the `ROLLBACK` of a transaction that only read, and does not wait for its result.
    func sendRollback() throws(PostgresFailure) {
        isScanning = false
        try check(PQsendQuery(handle, "ROLLBACK"))
        isRollingBack = true
    }

    /// Waits for the result of `sendRollback`, which usually is there.
    func finishRollback() throws(PostgresFailure) {
        guard isRollingBack else { return }
        isRollingBack = false
        while let result = try nextResult() { if let failure = result.failure { throw failure } }
    }

    /// Fails if a function of libpq did not return 1.
    func check(_ result: Int32) throws(PostgresFailure) {
        guard result == 1 else {
            throw PQstatus(handle) == CONNECTION_OK ? .refused(.misuse) : .lost
        }
    }

    /// Waits longer than the server's own timeout for a statement; then the connection is lost.
    func nextResult() throws(PostgresFailure) -> PostgresResult? {
        let limit = timeout.map { isScanning ? Self.scanTimeout : $0 * 2 }
        let end = limit.map { ContinuousClock.now + $0 + .seconds(1) }
        while PQisBusy(handle) == 1 {
            let remaining = end.map { ($0 - .now).inMilliseconds } ?? -1
            guard end == nil || remaining > 0 else { throw .lost }
            var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
            poll(&socket, 1, Int32(clamping: remaining))
            guard socket.revents == 0 || PQconsumeInput(handle) == 1 else { throw .lost }
        }
        return PQgetResult(handle).map { PostgresResult($0) }
    }
}

extension PostgresFailure {
    fileprivate var ofComparison: PostgresFailure {
        let reason: StoreFailure.Reason? =
            if isState("42P01") {
                // undefined_table
                .foreign
            } else if isState("42703") {
                // undefined_column: the only table that the comparison reads itself
                .altered(table: PostgresTables.store)
            } else {
                nil
            }
        return reason.map { .refused(StoreFailure($0, storeFailure.cause)) } ?? self
    }
}

extension PostgresConnection: JobConnection {
    func endJob() throws(StoreFailure) {
        if let firstFailure { throw firstFailure.storeFailure }
    }

    func change(
        _ statement: Statement,
        _ values: [SQLValue],
        rowCount: Int?
    ) throws(StoreFailure) {
        try keepingFailure { () throws(PostgresFailure) in
            try send(statement, values, expecting: .rowCount(rowCount))
        }
        prefetched.note(statement, values)
    }

    /// Sends a statement whose result is read later.
    func send(
        _ statement: Statement,
        _ values: [SQLValue] = [],
        expecting expected: ExpectedResult
    ) throws(PostgresFailure) {
        try send(try prepare(statement, values), expecting: expected)
    }

    func send(
        _ statement: BoundStatement,
        expecting expected: ExpectedResult
    ) throws(PostgresFailure) {
        try beginSending()
        try check(send(statement))
        unreadResults.append(expected)
    }

    @discardableResult
    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int {
        prefetched.note(statement, values)
        return try perform(statement, values) { result in result.changedRowCount }
    }

    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row] {
        if let result = prefetched.result(of: Query(statement, values)) {
            return try keepingFailure { () throws(PostgresFailure) in
                try result.rows(of: statement, values)
            }
        }
        if statement.changesRows { prefetched.note(statement, values) }
        return try perform(statement, values) { result throws(PostgresFailure) in
            try result.rows(of: statement, values)
        }
    }

    private func perform<Outcome>(
        _ statement: Statement,
        _ values: [SQLValue],
        _ read: (PostgresResult) throws(PostgresFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        try keepingFailure { () throws(PostgresFailure) in
            let statement = try prepare(statement, values)
            guard unreadResults.isEmpty else {
                try check(send(statement))
                return try read(try resultAfterOthers())
            }
            let results = try results { send(statement) }
            guard let result = results.first else { throw .lost }
            return try read(result)
        }
    }

    /// After the first failure, nothing of the job is sent.
    private func keepingFailure<Outcome>(
        _ body: () throws(PostgresFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        do throws(PostgresFailure) {
            if let firstFailure { throw firstFailure }
            return try body()
        } catch {
            firstFailure = error
            throw error.storeFailure
        }
    }

    private func send(_ statement: BoundStatement) -> Int32 {
        statement.parameters.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
        }
    }

    /// Waits for the server if it does not know the statement.
    func prepare(
        _ statement: Statement,
        _ values: [SQLValue]
    ) throws(PostgresFailure) -> BoundStatement {
        let parameters = try PostgresParameters(values)
        let name = try name(of: statement, parameters.types)
        return BoundStatement(name: name, parameters: parameters)
    }

    private func name(of statement: Statement, _ types: [Oid]) throws(PostgresFailure) -> String {
        let key = PreparationKey(statement: ObjectIdentifier(statement), types: types)
        if let known = prepared[key] { return known.name }
        // Once for each statement, so it need not be fast.
        try readResults()
        let name = "s\(prepared.count)"
        _ = try results {
            PQsendPrepare(handle, name, statement.text, Int32(types.count), types)
        }
        prepared[key] = PreparedStatement(name: name, statement: statement)
        return name
    }
}

extension Duration {
    var inMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
