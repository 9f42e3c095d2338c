/// Rows of texts: aligned under a heading for a person, separated by tabs without the heading for a
/// program.
///
/// If a line is wider than the screen, a person sees a paragraph for each row.
package struct Table: Sendable {
    private let heading: [String]
    private let rows: [[String]]

    package init(_ heading: [String] = [], _ rows: [[String]]) {
        self.heading = heading
        self.rows = rows
    }

    /// One line per name and value, without the names that have no value.
    package init(facts: [(name: String, value: String?)]) {
        self.init([], facts.compactMap { fact in fact.value.map { [fact.name, $0] } })
    }
}

extension Output {
    /// Escapes control characters, so that no text can imitate a column or a row.
    package func print(_ table: Table) throws(CommandFailure) {
        for line in table.lines(on: self) { try print(line) }
    }
}

extension Table {
    package func lines(on output: Output) -> [String] {
        let shown = rows.map { $0.map(visible) }
        guard output.isScreen else { return shown.map { $0.joined(separator: "\t") } }
        guard !heading.isEmpty else {
            return output.lines(of: shown.map { .cell($0[0], $0[1]) }, indent: 0)
        }
        let lines = aligned([heading] + shown.map { $0.map(\.isolated) })
        guard lines.allSatisfy({ $0.width <= output.columns ?? .max }) else {
            return Array(shown.map { paragraph($0, on: output) }.joined(separator: [""]))
        }
        return [output.bold(lines[0])] + lines.dropFirst()
    }

    /// A row of a table that is wider than the screen.
    private func paragraph(_ row: [String], on output: Output) -> [String] {
        let facts = zip(heading, row).filter { !$0.1.isEmpty }
        return output.lines(of: facts.map { .cell($0, $1) }, indent: 0)
    }
}

extension Fact {
    /// A word of ASCII, such as an address, stays whole: it cannot imitate a name and a value.
    fileprivate static func cell(_ name: String, _ value: String) -> Fact {
        let isWord = value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return Fact(name, value, staysWhole: isWord)
    }
}
