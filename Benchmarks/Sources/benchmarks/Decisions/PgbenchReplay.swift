import Cryptography
import FoundationEssentials
import Storage
import Verification

/// Sends recorded jobs to PostgreSQL through pgbench.
///
/// The statements and values are the verifier's own, committed in groups of the same size.
/// pgbench runs no rule and computes no code and no hash.
struct PgbenchReplay {
    let address: String
    let folder: String
    let clients: Int
    let groupSize: Int

    private var script: String { folder + "/decisions.sql" }

    /// The time of one decision, in microseconds.
    func cost(of decisions: RecordedDecisions) throws -> Double {
        let groups = decisions.count / groupSize / clients * clients
        guard groups > 0 else {
            throw BenchmarkFailure("fewer decisions than one group per client")
        }
        let columns = DecisionColumns(of: decisions)
        try text(of: decisions, columns)
            .write(toFile: script, atomically: true, encoding: .utf8)
        try insert(columns, groups)
        let options = ["-n", "-M", "prepared", "-c", "\(clients)", "-j", "\(clients)"]
        let output = try Program.run(
            "pgbench",
            options + ["-t", "\(groups / clients)", "-f", script, address]
        )
        // "tps = 123.456789 (without initial connection time)"
        guard
            output.contains("number of failed transactions: 0 "),
            let line = output.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = Double(line.dropFirst("tps = ".count).prefix { $0 != " " })
        else { throw BenchmarkFailure("pgbench: \(output)") }
        return 1e6 / (rate * Double(groupSize))
    }

    /// Stores the values of each group, from which pgbench takes its variables.
    ///
    /// One row with all values can be too large, so several tables have a row for each group.
    private func insert(_ columns: DecisionColumns, _ groups: Int) throws {
        var statements = """
            DROP SEQUENCE IF EXISTS groups;
            CREATE SEQUENCE groups CACHE 1;
            INSERT INTO countersign_commits (writer, place, number)
            SELECT client::text, 1000 + client, 0 FROM generate_series(0, \(clients - 1)) AS client
            ON CONFLICT (writer) DO NOTHING;

            """
        for (table, places) in tables {
            let names = places.flatMap { place in
                (0..<columns.count).map { "v\(place)_\($0) TEXT" }
            }.joined(separator: ", ")
            statements += "DROP TABLE IF EXISTS \(table);\n"
            statements += "CREATE TABLE \(table) (number BIGINT PRIMARY KEY, \(names));\n"
            for group in 0..<groups {
                let values = places.flatMap { columns.values(of: group * groupSize + $0) }
                statements += "INSERT INTO \(table) VALUES (\(group + 1), "
                statements += values.joined(separator: ", ") + ");\n"
            }
        }
        let file = folder + "/work.sql"
        try statements.write(toFile: file, atomically: true, encoding: .utf8)
        let options = ["-X", "-q", "-v", "ON_ERROR_STOP=1"]
        try Program.run("psql", options + ["-d", address, "-f", file])
    }

    private var places: Range<Int> { 0..<groupSize }

    /// The tables with the values of some decisions of each group.
    private var tables: [(name: String, places: Range<Int>)] {
        stride(from: 0, to: groupSize, by: Self.placesPerTable).map { first in
            ("work_\(first)", first..<min(first + Self.placesPerTable, groupSize))
        }
    }

    private static let placesPerTable = 16

    /// The statements of one group, with the store's own statements around them.
    private func text(of decisions: RecordedDecisions, _ columns: DecisionColumns) -> String {
        func statements(_ steps: Range<Int>, _ place: Int) -> String {
            steps.map { columns.text(of: decisions.texts[$0], step: $0, place: place) + ";" }
                .joined(separator: "\n")
        }
        let (reading, writing) = (decisions.readingSteps, decisions.writingSteps)
        let readings = places.map { place in
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SELECT version FROM countersign_store WHERE id = 1;
            \(statements(reading, place))
            ROLLBACK;

            """
        }
        let joins = tables.map { "JOIN \($0.name) USING (number)" }.joined(separator: " ")
        // Materialized: otherwise a plan may take the next number once for each row of a table.
        return """
            WITH next AS MATERIALIZED (SELECT nextval('groups') AS number)
            SELECT * FROM next \(joins) \\gset
            \(readings.joined())
            BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
            SELECT version FROM countersign_store WHERE id = 1 FOR UPDATE;
            SELECT number FROM countersign_commits WHERE writer = :client_id::text;
            \(places.map { statements($0 == places.last ? writing : writing.dropLast(), $0) }
                .joined(separator: "\n"))
            UPDATE countersign_commits SET number = number + 1 WHERE writer = :client_id::text;
            COMMIT;

            """
    }
}

/// Decisions that consist of the same statements and differ only in their values.
struct RecordedDecisions {
    let texts: [String]
    let readingSteps: Range<Int>
    let writingSteps: Range<Int>
    /// The values of each decision, statement by statement.
    let values: [[[SQLValue]]]

    var count: Int { values.count }

    init(reading: [RecordedJob], writing: [RecordedJob]) throws {
        let usual = (reading: try Self.usual(reading), writing: try Self.usual(writing))
        texts = (usual.reading[0] + usual.writing[0]).map(\.text)
        readingSteps = 0..<usual.reading[0].count
        writingSteps = readingSteps.upperBound..<texts.count
        values = zip(usual.reading, usual.writing).map { ($0 + $1).map(\.values) }
    }

    /// The jobs without the few that run other statements, such as the first one of a verifier.
    private static func usual(_ jobs: [RecordedJob]) throws -> [RecordedJob] {
        let kinds = Dictionary(grouping: jobs) { $0.map(\.text) }.values
        guard
            let usual = kinds.max(by: { $0.count < $1.count }),
            usual.count * 10 >= jobs.count * 9
        else {
            // One script cannot replay different statements.
            throw BenchmarkFailure("the decisions run different jobs: \(kinds.map(\.count))")
        }
        return usual
    }
}

/// The values that differ between decisions, each in one column; equal values become literals.
struct DecisionColumns {
    private enum Parameter {
        case literal(String)
        case column(Int)
    }

    private var parameters: [[Parameter]] = []
    private var columns: [[String]] = []

    var count: Int { columns.count }

    init(of decisions: RecordedDecisions) {
        for step in decisions.texts.indices {
            let places = decisions.values[0][step].indices
            parameters.append(
                places.map { place in parameter(decisions.values.map { $0[step][place] }) }
            )
        }
    }

    func values(of decision: Int) -> [String] { columns.map { $0[decision] } }

    /// Replaces `$1` and so on in a statement with the values of the parameters.
    func text(of statement: String, step: Int, place: Int) -> String {
        var text = statement
        // In reverse order, because `$1` is also the start of `$10`.
        for (index, parameter) in parameters[step].enumerated().reversed() {
            let value =
                switch parameter {
                case .literal(let literal): literal
                case .column(let column): ":v\(place)_\(column)"
                }
            text = text.replacing("$\(index + 1)", with: value)
        }
        return text
    }

    private mutating func parameter(_ values: [SQLValue]) -> Parameter {
        let literals = values.map(\.literal)
        if literals.allSatisfy({ $0 == literals[0] }) { return .literal(literals[0]) }
        if let column = columns.firstIndex(of: literals) { return .column(column) }
        columns.append(literals)
        return .column(columns.count - 1)
    }
}

extension SQLValue {
    /// In SQL of PostgreSQL.
    var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        case .bytes(let bytes), .malformedText(let bytes):
            "'\\x\(TextEncoding.hexadecimal.encode(bytes.span))'"
        }
    }
}
