/// A page of help: summary, usage, discussion and tables.
struct HelpPage {
    struct Table {
        let heading: String
        let rows: [(label: String, text: String)]
    }

    let summary: String
    /// The pieces of the usage line; none of them is broken.
    ///
    /// Empty for a topic.
    var usage: [String] = []
    var discussion = ""
    let tables: [Table]
    /// The paragraphs after the tables.
    var notes: [String] = []

    var text: String {
        let tables = tables.filter { !$0.rows.isEmpty }.map(lines)
        let texts = [filled(summary), usageLines, filled(discussion)]
        let blocks = texts + tables + notes.map { filled($0) }
        return blocks.map { $0.joined(separator: "\n") }.filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    private var usageLines: [String] {
        guard !usage.isEmpty else { return [] }
        let indent = String(repeating: " ", count: 11)
        let lines = filled(usage, width: helpWidth - indent.count)
        return [localized("Usage: ", german: "Aufruf: ") + lines[0]]
            + lines.dropFirst().map { indent + $0 }
    }

    /// The column where texts begin in all tables.
    ///
    /// The text of a longer label is below the label.
    private var textColumn: Int {
        let lengths = tables.flatMap(\.rows).map(\.label.count)
        return 2 + (lengths.filter { $0 <= 30 }.max() ?? 30) + 2
    }

    private func lines(of table: Table) -> [String] {
        let indent = String(repeating: " ", count: textColumn)
        return ["\(table.heading):"]
            + table.rows.flatMap { row in
                let label = "  \(row.label)  "
                let lines = filled(row.text, width: helpWidth - textColumn).map { indent + $0 }
                guard label.count <= textColumn, let first = lines.first else {
                    return ["  \(row.label)"] + lines
                }
                return [label + first.dropFirst(label.count)] + lines.dropFirst()
            }
    }
}
