import Foundation
import PrivateFiles
package import Storage
import Verification

/// A store that records its statements.
package final class WatchedDatabase: Database {
    private let store: any Database
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var passed: [String] = []
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var passedTexts: [String] = []
    private nonisolated(unsafe) var passedRows = 0

    package init(_ store: any Database) { self.store = store }

    /// Each with its first word and its table.
    package var statements: [String] { lock.withLock { passed } }

    package func forget() {
        lock.withLock { (passed, passedTexts, passedRows) = ([], [], 0) }
    }

    /// The complete texts.
    package var texts: [String] { lock.withLock { passedTexts } }

    /// The number of rows that were read.
    package var rowCount: Int { lock.withLock { passedRows } }

    package func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        note("write")
        return try await store.write(reading: queries) { connection throws(StoreFailure) in
            try work(WatchedConnection(connection, self))
        }
    }

    package func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        note("read")
        return try await store.read(reading: queries) { connection throws(StoreFailure) in
            try work(WatchedConnection(connection, self))
        }
    }

    package func scan<Outcome: Sendable>(
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        note("scan")
        return try await store.scan { connection throws(StoreFailure) in
            try work(WatchedConnection(connection, self))
        }
    }

    package func rewrite<Outcome: Sendable>(
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        note("rewrite")
        return try await store.rewrite { connection throws(StoreFailure) in
            try work(WatchedConnection(connection, self))
        }
    }

    package func close() async { await store.close() }

    fileprivate func note(_ text: String) { lock.withLock { passed.append(text) } }

    fileprivate func note(_ rows: [Row]) { lock.withLock { passedRows += rows.count } }

    fileprivate func note(_ statement: Statement) {
        let text = statement.text.description
        lock.withLock {
            passed.append(String(text.prefix { $0 != " " }))
            passedTexts.append(text)
        }
    }
}

private final class WatchedConnection: SQLConnection {
    private let connection: any SQLConnection
    private let database: WatchedDatabase

    init(_ connection: any SQLConnection, _ database: WatchedDatabase) {
        self.connection = connection
        self.database = database
    }

    var shared: (any SharedData)? {
        get { connection.shared }
        set { connection.shared = newValue }
    }

    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int {
        database.note(statement)
        return try connection.run(statement, values)
    }

    func change(
        _ statement: Statement,
        _ values: [SQLValue],
        rowCount: Int?
    ) throws(StoreFailure) {
        database.note(statement)
        try connection.change(statement, values, rowCount: rowCount)
    }

    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row] {
        database.note(statement)
        let rows = try connection.rows(statement, values)
        database.note(rows)
        return rows
    }
}
