/// Rows of texts: aligned for a person, under a heading; with a tab between two columns, and without
/// the heading, for another program.
package struct Table: Sendable {
    private let heading: [String]
    private let rows: [[String]]

    package init(_ heading: [String] = [], _ rows: [[String]]) {
        self.heading = heading
        self.rows = rows
    }

    /// Of names and values, a line each; what has no value is left out.
    package init(facts: [(name: String, value: String?)]) {
        self.init([], facts.compactMap { fact in fact.value.map { [fact.name, $0] } })
    }
}

extension Output {
    /// Nothing in a text can move the cursor, or pass for a column or a row of its own.
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
