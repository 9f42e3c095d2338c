import Cryptography
import FoundationEssentials
import Storage
import Verification

/// Sends recorded jobs to PostgreSQL through pgbench, one statement of each kind for a whole group.
///
/// The values of all jobs of a group are arrays. So the server gets as few messages, and runs as few
/// statements, as it can for this work. No rule could run in between: this is a lower limit.
struct SetReplay {
    let address: String
    let folder: String

    /// A script that runs jobs, group by group.
    struct Script {
        fileprivate let options: [String]
        let jobCount: Int

        func run() throws {
            let output = try Program.run("pgbench", options)
            guard output.contains("number of failed transactions: 0 ") else {
                throw BenchmarkFailure("pgbench: \(output)")
            }
        }
    }

    /// Stores the values of the jobs; their order within a group is lost.
    func prepare(
        _ jobs: (reading: [RecordedJob], writing: [RecordedJob]),
        groupSize: Int
    ) throws -> Script {
        let groups = max(1, jobs.writing.count / groupSize)
        // The first job of each group reads more.
        guard let usual = Self.kinds(jobs.writing, atLeast: jobs.writing.count / 2 + 1).first
        else { throw BenchmarkFailure("the jobs write different rows") }
        var columns = SetColumns(groupCount: groups)
        let reading = Self.kinds(jobs.reading, atLeast: groups)
            .flatMap { columns.statements(of: $0) }
        let writing = columns.statements(of: usual)
        try run(columns.creation)
        let script = folder + "/sets.sql"
        try Self.text(reading: reading, writing: writing)
            .write(toFile: script, atomically: true, encoding: .utf8)
        let options = ["-n", "-M", "prepared", "-t", "\(groups)", "-f", script, address]
        return Script(options: options, jobCount: groups * (usual.count / groups))
    }

    /// Runs each job once, as it is.
    func repeatOnce(_ jobs: [RecordedJob]) throws {
        try run(jobs.joined().map { $0.textWithValues + ";\n" }.joined())
    }

    private func run(_ statements: String) throws {
        let file = folder + "/statements.sql"
        try statements.write(toFile: file, atomically: true, encoding: .utf8)
        try Program.run("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-d", address, "-f", file])
    }

    /// The jobs with the same statements; rare kinds, such as those of a first call, are left out.
    private static func kinds(_ jobs: [RecordedJob], atLeast count: Int) -> [[RecordedJob]] {
        Dictionary(grouping: jobs) { $0.map(\.text) }.values
            .filter { $0.count >= max(count, 1) && !$0[0].isEmpty }
    }

    private static func text(reading: [String], writing: [String]) -> String {
        func lines(_ statements: [String]) -> String {
            statements.map { $0 + ";\n" }.joined()
        }
        return """
            WITH next AS MATERIALIZED (SELECT nextval('sets_number') AS number)
            SELECT * FROM next JOIN sets USING (number) \\gset
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SELECT version FROM countersign_store WHERE id = 1;
            \(lines(reading))ROLLBACK;
            BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
            SELECT version FROM countersign_store WHERE id = 1 FOR UPDATE;
            \(lines(writing))COMMIT;

            """
    }
}

/// The values that differ between the jobs of a group: an array for each parameter.
private struct SetColumns {
    private let groupCount: Int
    /// The arrays of each parameter, one for each group.
    private var columns: [[String]] = []

    init(groupCount: Int) {
        self.groupCount = groupCount
    }

    /// A table with a row for each group, from which pgbench takes its variables.
    var creation: String {
        let names = columns.indices.map { "c\($0) TEXT" }
        let rows = (0..<groupCount).map { group in
            let values = columns.map { "'\($0[group].replacing("'", with: "''"))'" }
            return
                "INSERT INTO sets VALUES (\((["\(group + 1)"] + values).joined(separator: ", ")));\n"
        }
        return """
            DROP SEQUENCE IF EXISTS sets_number;
            CREATE SEQUENCE sets_number CACHE 1;
            DROP TABLE IF EXISTS sets;
            CREATE TABLE sets (\((["number BIGINT PRIMARY KEY"] + names).joined(separator: ", ")));
            \(rows.joined())
            """
    }

    /// The statements of equal jobs, each for all jobs of a group.
    mutating func statements(of jobs: [RecordedJob]) -> [String] {
        jobs[0].indices.map { step in
            let values = jobs.map { $0[step].values }
            return statement(jobs[0][step].text, values)
        }
    }

    private mutating func statement(_ text: String, _ values: [[SQLValue]]) -> String {
        var (text, arrays, names) = (text, [String](), [String]())
        // In reverse order, because `$1` is also the start of `$10`.
        for place in values[0].indices.reversed() {
            let parameter = "$\(place + 1)"
            let all = values.map { $0[place] }
            // pgbench takes a name after a colon for a variable, also in a literal.
            if all.allSatisfy({ $0 == all[0] }), !all[0].literal.contains(":") {
                text = text.replacing(parameter, with: all[0].literal)
            } else {
                names.append("p\(place)")
                arrays.append(":c\(column(all))::\(SQLValue.type(of: all))[]")
                text = text.replacing(parameter, with: "v.p\(place)")
            }
        }
        guard !arrays.isEmpty else { return text }
        let table = arrays.joined(separator: ", ")
        return Self.repeated(text, for: "unnest(\(table)) AS v(\(names.joined(separator: ", ")))")
    }

    /// A statement with `v.` in place of its parameters, for each row of `rows`.
    private static func repeated(_ text: String, for rows: String) -> String {
        if text.hasPrefix("SELECT") {
            return "SELECT s.* FROM \(rows) CROSS JOIN LATERAL (\(text)) AS s"
        }
        if text.hasPrefix("UPDATE"), let place = text.firstRange(of: "WHERE ") {
            return text[..<place.lowerBound] + "FROM \(rows) " + text[place.lowerBound...]
        }
        // INSERT INTO table (columns) VALUES (values), or SELECT from another table.
        if let start = text.firstRange(of: "VALUES ("),
            let end = text[start.upperBound...].closing
        {
            let values = text[start.upperBound..<end]
            return text[..<start.lowerBound] + "SELECT \(values) FROM \(rows)"
                + text[text.index(after: end)...]
        }
        guard let place = text.firstRange(of: "FROM ") else { return text }
        return text[..<place.upperBound] + "\(rows) CROSS JOIN " + text[place.upperBound...]
    }

    /// The index of the column with these values.
    private mutating func column(_ values: [SQLValue]) -> Int {
        let size = values.count / groupCount
        let arrays = (0..<groupCount).map { group in
            "{"
                + values[(group * size)..<((group + 1) * size)].map(\.element)
                .joined(separator: ",") + "}"
        }
        if let known = columns.firstIndex(of: arrays) { return known }
        columns.append(arrays)
        return columns.count - 1
    }
}

extension RecordedStep {
    /// The statement with its values in place of the parameters.
    fileprivate var textWithValues: String {
        // In reverse order, because `$1` is also the start of `$10`.
        values.indices.reversed().reduce(text) { text, place in
            text.replacing("$\(place + 1)", with: values[place].literal)
        }
    }
}

extension Substring {
    /// The parenthesis that closes one before the text.
    fileprivate var closing: Index? {
        var depth = 1
        return indices.first { index in
            if self[index] == "(" { depth += 1 }
            if self[index] == ")" { depth -= 1 }
            return depth == 0
        }
    }
}

extension SQLValue {
    /// The type of the values of one parameter.
    fileprivate static func type(of values: [SQLValue]) -> String {
        for value in values {
            switch value {
            case .null: continue
            case .integer: return "bigint"
            case .text: return "text"
            case .bytes, .malformedText: return "bytea"
            }
        }
        return "text"
    }

    /// An element of an array in text.
    fileprivate var element: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .text(let text):
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .bytes(let bytes), .malformedText(let bytes):
            "\"\\\\x\(TextEncoding.hexadecimal.encode(bytes.span))\""
        }
    }
}
