import Foundation
import Testing

/// Whether a further word is portable, and why, is to be said at `PostgresTables`.
private let words: Set = [
    "AND", "AS", "BEGIN", "BIGINT", "BY", "CASE", "CHECK", "COMMIT", "COMMITTED", "CONFLICT",
    "COUNT", "CREATE", "DELETE", "DESC", "DO", "ELSE", "END", "EXISTS", "FOR", "FOREIGN", "FROM",
    "GROUP", "IN", "INDEX", "INSERT", "INTO", "IS", "ISOLATION", "JOIN", "KEY", "LEFT", "LEVEL",
    "LIMIT", "MAX", "MIN", "NOT", "NOTHING", "NULL", "ON", "ONLY", "OR", "ORDER", "PRIMARY", "READ",
    "REFERENCES", "REPEATABLE", "RETURNING", "ROLLBACK", "SELECT", "SET", "TABLE", "TEXT", "THEN",
    "UNIQUE", "UPDATE", "VALUES", "WHEN", "WHERE",
]
private let functions: Set = ["COUNT", "MAX", "MIN", "coalesce", "max", "substr"]

@Suite struct `The statements for PostgreSQL` {
    @Test func `hold no word that is not known to be portable`() throws {
        let statements = try statements()
        #expect(statements.count > 100)
        let found = statements.flatMap { $0.matches(of: /\b[A-Z]{2,}\b/).map { String($0.0) } }
        #expect(Set(found).subtracting(words) == [])
        let called = statements.flatMap { $0.matches(of: /\b(\w+)\(/).map { String($0.1) } }
        #expect(Set(called).subtracting(functions) == [])
    }

    @Test func `change no audit record and take none out`() throws {
        let statements = try statements()
        #expect(statements.contains { $0.contains(/INSERT INTO audit\b/) })
        #expect(!statements.contains { $0.contains(/(UPDATE|DELETE FROM|DROP TABLE) audit\b/) })
    }

    /// The search must find what it looks for.
    @Test(arguments: [
        (#""SELECT pg_advisory_lock(1)""#, ["SELECT pg_advisory_lock(1)"]),
        (#"execute("LISTEN events; SELECT 1")"#, ["LISTEN events; SELECT 1"]),
        ("\"\"\"\n    CREATE TRIGGER t;\n    \"\"\"", ["    CREATE TRIGGER t;\n    "]),
        (#"/// "SELECT 1""#, []),
        (#""Select an account.""#, []),
    ])
    func `are the texts that hold a verb of SQL`(_ source: String, _ expected: [String]) {
        #expect(statements(in: source) == expected)
    }

    private func statements() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appending(path: "Sources/Verifier").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
            .filter { $0.hasSuffix(".swift") && !$0.contains("SQLite/") }
        return try files.map { try String(contentsOfFile: sources + "/" + $0, encoding: .utf8) }
            // What lies in memory for a moment is SQLite's wherever the store is.
            .filter { !$0.contains(".scratch(") }
            .flatMap { statements(in: $0) }
    }

    /// The string literals of a source that are SQL, without what is put into them.
    private func statements(in source: String) -> [String] {
        let code = source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            .joined(separator: "\n")
        let literals = code.matches(of: /"""\n((?s:.*?))"""|"((?:[^"\\\n]|\\.)*)"/)
            .map { String($0.1 ?? $0.2 ?? "") }
        let verb =
            /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|BEGIN|SET|COMMIT|LISTEN|NOTIFY|LOCK)\b/
        return literals.filter { $0.contains(verb) }.map { $0.replacing(/\\\([^)]*\)/, with: "") }
    }
}
