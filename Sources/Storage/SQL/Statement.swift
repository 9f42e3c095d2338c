/// One SQL statement of the program's own text, the same for both engines.
///
/// Keep it in a `static let`: its text is built once, and a connection prepares it once. Its text
/// comes from literals and column names only, so that no input can become SQL.
///
///     SELECT \(Table.accounts.values) FROM accounts WHERE \(match: Table.accounts.key)
///     INSERT INTO accounts \(insert: Table.accounts.columns)
///     UPDATE accounts SET \(set: [.person]) WHERE \(match: Table.accounts.key)
///
/// Parameters can also be written as `$1`, `$2` and so on, in any order. A statement with both has
/// its named ones first, and gets all values in order.
package final class Statement: Sendable {
    package let text: String
    /// The columns of each result row, in order.
    let columns: [Column]
    /// The columns whose values are bound by name, in order.
    let parameters: [Column]
    let changesRows: Bool
    /// The table that it changes, or the only one that it reads; nil for several or if its text does
    /// not show it.
    let table: Substring?
    /// Columns of `table`: each row that it reads or changes has their bound values, before and after
    /// a change.
    let fixedColumns: [Column]
    /// The result columns of a query with the parameters that they must equal.
    private let matches: [(result: Int, parameter: Int)]

    package init(_ sql: SQL) {
        (text, columns, parameters) = (sql.text, sql.columns, sql.parameters)
        // As bytes: the text is that of literals, in ASCII.
        let words = sql.text.utf8.split { " \n".utf8.contains($0) }.map(Substring.init)
        let tables = zip(words, words.dropFirst()).filter { word, _ in
            ["FROM", "JOIN", "INTO", "UPDATE"].contains(word)
        }
        changesRows = words.first != "SELECT"
        let isFirst = ["FROM", "INTO"].contains(words.dropFirst().first) || words.first == "UPDATE"
        let named = changesRows ? isFirst : tables.count == 1
        table = named ? tables.first.flatMap { Self.name($0.1) } : nil
        // A condition with `OR` or `NOT` selects other rows too, and so does a conflict.
        let parts = sql.text.utf8.split { !Self.isLetter($0) }.map(Substring.init)
        let isQuery = !changesRows && !parts.contains("OR")
        matches = isQuery ? sql.matches : []
        let isSimple =
            tables.count == 1 && parts.allSatisfy { !["OR", "NOT", "CONFLICT"].contains($0) }
        fixedColumns = isSimple ? sql.fixedColumns : []
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Nil if the word is not only a name.
    private static func name(_ word: Substring) -> Substring? {
        word.allSatisfy { $0 == "_" || $0.isLowercase } ? word : nil
    }

    /// The bound value of a column; nil if it has none.
    func value(of column: Column, in values: [SQLValue]) -> SQLValue? {
        guard let place = parameters.firstIndex(of: column), values.indices.contains(place)
        else { return nil }
        return values[place]
    }

    /// Refuses a row that the query did not ask for.
    ///
    /// An authentic row can come from another key: a writer of the database can change what a
    /// comparison means, for example by a collation.
    func check(_ row: Row, against values: [SQLValue]) throws(StoreFailure) {
        for match in matches {
            let isSame =
                values.indices.contains(match.parameter)
                && row.values.indices.contains(match.result)
                && row.values[match.result] == values[match.parameter]
            guard isSame else { throw .forged(row: wantedRow) }
        }
    }

    /// Without the values, because some are secret.
    private var wantedRow: String {
        let names = matches.map { "\(columns[$0.result])" }.joined(separator: ", ")
        return "\(table ?? "") by \(names)"
    }

    /// Puts named values into the order of the parameters.
    package func arranged(_ values: NamedValues) throws(StoreFailure) -> [SQLValue] {
        var arranged: [SQLValue] = []
        arranged.reserveCapacity(parameters.count)
        for column in parameters { arranged.append(try values[column]) }
        return arranged
    }
}

/// The text of a statement while it is written.
package struct SQL: ExpressibleByStringInterpolation {
    let text: String
    let columns: [Column]
    let parameters: [Column]
    fileprivate let fixedColumns: [Column]

    package init(stringLiteral text: StaticString) {
        (self.text, columns, parameters, fixedColumns) = (text.description, [], [], [])
    }

    /// The result columns that a condition compares with a parameter.
    fileprivate var matches: [(result: Int, parameter: Int)] {
        fixedColumns.compactMap { column in
            guard let result = columns.firstIndex(of: column),
                let parameter = parameters.firstIndex(of: column)
            else { return nil }
            return (result, parameter)
        }
    }

    package init(stringInterpolation parts: Parts) {
        (text, columns, parameters) = (parts.text, parts.columns, parts.parameters)
        fixedColumns = parts.fixedColumns
    }

    package struct Parts: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var columns: [Column] = []
        fileprivate var parameters: [Column] = []
        fileprivate var fixedColumns: [Column] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        /// Result columns: `a, b`, or `table.a, table.b`.
        package mutating func appendInterpolation(_ columns: [Column], of table: Table? = nil) {
            text += Self.names(columns, of: table)
            self.columns += columns
        }

        private static func names(_ columns: [Column], of table: Table? = nil) -> String {
            let prefix = table.map { "\($0.name)." } ?? ""
            return columns.map { prefix + "\($0)" }.joined(separator: ", ")
        }

        /// The name of a table that is read.
        package mutating func appendInterpolation(_ table: Table) {
            appendInterpolation(table: table.name)
        }

        mutating func appendInterpolation(table name: StaticString) {
            text += name.description
        }

        /// A result column with the lowest value of a column.
        package mutating func appendInterpolation(minimum column: Column) {
            text += "MIN(\(column))"
            columns.append(column)
        }

        /// A query that another statement continues.
        mutating func appendInterpolation(_ query: SQL) {
            text += query.text
            columns += query.columns
        }

        // ORDER BY a, b LIMIT $1
        mutating func appendInterpolation(orderedBy key: [Column], of table: Table? = nil) {
            text += "ORDER BY \(Self.names(key, of: table)) LIMIT $1"
        }

        // WHERE (a, b) > ($1, $2) ORDER BY a, b LIMIT $3
        package mutating func appendInterpolation(after key: [Column], of table: Table? = nil) {
            let names = Self.names(key, of: table)
            let values = key.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            text += "WHERE (\(names)) > (\(values)) ORDER BY \(names) LIMIT $\(key.count + 1)"
        }

        /// A result column with the value of an expression.
        package mutating func appendInterpolation(_ column: Column, from expression: StaticString) {
            text += expression.description
            columns.append(column)
        }

        /// A condition that an index has too.
        package mutating func appendInterpolation(condition: StaticString) {
            text += condition.description
        }

        /// Column names alone: `a, b`.
        package mutating func appendInterpolation(names columns: [Column]) {
            text += Self.names(columns)
        }

        // (a, b) VALUES ($1, $2)
        package mutating func appendInterpolation(insert columns: [Column]) {
            let values = columns.map { parameter($0) }.joined(separator: ", ")
            text += "(\(Self.names(columns))) VALUES (\(values))"
            fixedColumns += columns
        }

        // a = $1, b = $2
        package mutating func appendInterpolation(set columns: [Column]) {
            text += columns.map { "\($0) = \(parameter($0))" }.joined(separator: ", ")
        }

        // a < $1
        package mutating func appendInterpolation(below column: Column) {
            text += "\(column) < \(parameter(column))"
        }

        // a = $1 AND b = $2
        package mutating func appendInterpolation(match columns: [Column]) {
            text += columns.map { "\($0) = \(parameter($0))" }.joined(separator: " AND ")
            fixedColumns += columns
        }

        /// The number of a case: a partial index is used only with a number, not a parameter.
        package mutating func appendInterpolation(_ value: some RawRepresentable<UInt8>) {
            text += "\(value.rawValue)"
        }

        /// The parameter that holds the value of a column.
        package mutating func appendInterpolation(valueOf column: Column) {
            text += parameter(column)
        }

        private mutating func parameter(_ column: Column) -> String {
            if let index = parameters.firstIndex(of: column) { return "$\(index + 1)" }
            parameters.append(column)
            return "$\(parameters.count)"
        }
    }
}
