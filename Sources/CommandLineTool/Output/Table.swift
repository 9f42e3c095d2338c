/// Rows of texts: aligned under a heading for a person, separated by tabs without the heading for a
/// program.
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
    fileprivate func lines(on output: Output) -> [String] {
        let shown = rows.map { $0.map(visible) }
        guard output.isScreen else { return shown.map { $0.joined(separator: "\t") } }
        guard !heading.isEmpty else { return aligned(shown) }
        let lines = aligned([heading] + shown)
        return [output.bold(lines[0])] + lines.dropFirst()
    }
}
