import Foundation
import PrivateFiles
package import Storage
import Verification

/// A store with stale reads of some tables.
///
/// It shows what a race would do if a verifier read before its turn or cached rows.
package struct RememberingDatabase: Database {
    private let store: any Database
    private let memory: Memory

    package init(store: any Database, remembering tables: [String]) {
        self.store = store
        memory = Memory(tables)
    }

    package func write<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.write(reading: queries, remembering(work))
    }

    package func read<Outcome: Sendable>(
        reading queries: [Query],
        _ work: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await store.read(reading: queries, remembering(work))
    }

    private func remembering<Outcome>(_ work: @escaping Job<Outcome>) -> Job<Outcome> {
        let memory = memory
        return { connection throws(StoreFailure) in
            try work(RememberingConnection(connection, memory))
        }
    }

    package func close() async { await store.close() }
}

private final class RememberingConnection: SQLConnection {
    private let connection: any SQLConnection
    private let memory: Memory

    init(_ connection: any SQLConnection, _ memory: Memory) {
        self.connection = connection
        self.memory = memory
    }

    var shared: (any SharedData)? {
        get { connection.shared }
        set { connection.shared = newValue }
    }

    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int {
        try connection.run(statement, values)
    }

    func change(
        _ statement: Statement,
        _ values: [SQLValue],
        rowCount: Int?
    ) throws(StoreFailure) {
        try connection.change(statement, values, rowCount: rowCount)
    }

    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row] {
        if let rows = memory.rows(statement, values) { return rows }
        let rows = try connection.rows(statement, values)
        memory.remember(rows, of: statement, values)
        return rows
    }
}

private final class Memory: Sendable {
    private struct Reading {
        let text: String
        let values: [SQLValue]
        let rows: [Row]
    }

    private let tables: [String]
    private let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var readings: [Reading] = []

    init(_ tables: [String]) {
        self.tables = tables
    }

    func rows(_ statement: Statement, _ values: [SQLValue]) -> [Row]? {
        lock.withLock {
            readings.first { $0.text == "\(statement.text)" && $0.values == values }?.rows
        }
    }

    func remember(_ rows: [Row], of statement: Statement, _ values: [SQLValue]) {
        let text = "\(statement.text)"
        let words = text.split(whereSeparator: \.isWhitespace)
        let sources = zip(words, words.dropFirst()).filter { $0.0 == "FROM" }.map { String($0.1) }
        guard tables.contains(where: sources.contains) else { return }
        lock.withLock { readings.append(Reading(text: text, values: values, rows: rows)) }
    }
}
