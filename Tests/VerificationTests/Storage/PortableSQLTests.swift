import Foundation
import Testing

/// The SQL constructs in the tables of the article "Other databases", such as `ORDER BY … LIMIT`.
private struct Constructs {
    let texts: [String]

    init() throws {
        let article = "docs/operate/other-databases.md"
        let lines = try String(contentsOf: root.appending(path: article), encoding: .utf8)
            .split(separator: "\n")
        let tables = lines.drop { $0 != "### Rows" }
        texts = tables.filter { $0.hasPrefix("| `") }.flatMap { line in
            line.dropFirst().prefix { $0 != "|" }.matches(of: /`([^`]+)`/).map { String($0.1) }
        }
    }

    /// The words in capitals, and the functions.
    var words: Set<String> {
        Set(texts.flatMap { $0.matches(of: /\b[A-Z]{2,}\b/).map { String($0.0) } })
    }
    var functions: Set<String> {
        Set(texts.flatMap { $0.matches(of: /\b(\w+)\(/).map { String($0.1) } })
    }

    /// Returns whether a statement contains the words of the construct; `…` matches any words.
    static func isPart(_ construct: String, of statement: String) -> Bool {
        var remaining = tokens(of: statement)[...]
        return construct.split(separator: "…").allSatisfy { part in
            let part = tokens(of: String(part))
            guard
                let place = remaining.indices.first(where: { remaining[$0...].starts(with: part) })
            else { return false }
            remaining = remaining[(place + part.count)...]
            return true
        }
    }

    private static func tokens(of text: String) -> [Substring] {
        text.matches(of: /\w+|[^\w\s]/).map(\.0)
    }
}

private let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

@Suite struct `The statements for PostgreSQL` {
    @Test func `use only keywords that the article explains as portable`() throws {
        let (statements, constructs) = (try statements(), try Constructs())
        #expect(statements.count > 100)
        let found = statements.flatMap { $0.matches(of: /\b[A-Z]{2,}\b/).map { String($0.0) } }
        #expect(Set(found).subtracting(constructs.words) == [])
        let called = statements.flatMap { $0.matches(of: /\b(\w+)\(/).map { String($0.1) } }
        #expect(Set(called).subtracting(constructs.functions) == [])
    }

    @Test func `use every construct that the article explains`() throws {
        let (statements, constructs) = (try statements(), try Constructs())
        #expect(constructs.texts.count > 40)
        let unused = constructs.texts.filter { construct in
            !statements.contains { Constructs.isPart(construct, of: $0) }
        }
        #expect(unused == [])
    }

    @Test(arguments: [
        ("OR", "SELECT 1 ORDER BY 1", false),
        ("LIMIT … FOR UPDATE", "SELECT 1 FOR UPDATE LIMIT 1", false),
        ("ORDER BY … LIMIT", "SELECT 1\n    ORDER BY a,b LIMIT 1", true),
        ("(a, b) > ($1, $2)", "WHERE (a,b) > ($1, $2)", true),
        ("(a, b) > ($1, $2)", "WHERE (a,b) < ($1, $2)", false),
    ])
    func `are compared word by word`(
        _ construct: String,
        _ statement: String,
        _ expected: Bool
    ) {
        #expect(Constructs.isPart(construct, of: statement) == expected)
    }

    @Test func `never change or delete an audit record`() throws {
        let statements = try statements()
        #expect(statements.contains { $0.contains(/FROM audit\b/) })
        #expect(!statements.contains { $0.contains(/(UPDATE|DELETE FROM|DROP TABLE) audit\b/) })
    }

    /// Otherwise the other tests would search too few statements.
    @Test(arguments: [
        (#""SELECT pg_advisory_lock(1)""#, ["SELECT pg_advisory_lock(1)"]),
        (#"execute("LISTEN events; SELECT 1")"#, ["LISTEN events; SELECT 1"]),
        ("\"\"\"\n    CREATE TRIGGER t;\n    \"\"\"", ["    CREATE TRIGGER t;\n    "]),
        (#"/// "SELECT 1""#, []),
        (#""Select an account.""#, []),
    ])
    func `are all string literals that contain an SQL verb`(_ source: String, _ expected: [String])
    {
        #expect(statements(in: source) == expected)
    }

    private func statements() throws -> [String] {
        let sources = root.appending(path: "Sources").path
        let files = try ["Storage/", "ThreeDSIssuer/", "Verification/"].flatMap { target in
            try FileManager.default.subpathsOfDirectory(atPath: sources + "/" + target)
                // The page names the parts of the catalog in words.
                .filter { $0.hasSuffix(".swift") && !$0.contains(/(SQLite|Catalog)\//) }
                .map { target + $0 }
        }
        return try files.map { try String(contentsOfFile: sources + "/" + $0, encoding: .utf8) }
            // Scratch tables are always SQLite's, also with a PostgreSQL store.
            .filter { !$0.contains(".scratch(") }
            .flatMap { statements(in: $0) }
    }

    /// The string literals of a source that are SQL, without interpolations.
    private func statements(in source: String) -> [String] {
        let code = source.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            .joined(separator: "\n")
            // A computed column is also SQL.
            .replacing(/\\\(\.\w+, from: "([^"]*)"\)/) { $0.1 }
            .replacing(/\\\(insert: [^)]*\)/, with: "(a, b) VALUES ($1, $2)")
            .replacing(
                /\\\(after: [^)]*\)/,
                with: "WHERE (device, kind) > ($1, $2) ORDER BY device, kind LIMIT $3"
            )
            .replacing(/\\\(minimum: [^)]*\)/, with: "MIN(a)")
        let literals = code.matches(of: /"""\n((?s:.*?))"""|"((?:[^"\\\n]|\\.)*)"/)
            .map { String($0.1 ?? $0.2 ?? "") }
        let verb =
            /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|BEGIN|SET|COMMIT|ROLLBACK|LISTEN|NOTIFY|LOCK)\b/
        return literals.filter { $0.contains(verb) }.map { $0.replacing(/\\\([^)]*\)/, with: "") }
    }
}
