/// A page of help: a summary, how the thing is called, and tables of what there is to choose from.
struct HelpPage {
    struct Table {
        let heading: String
        let rows: [(label: String, text: String)]
    }

    let summary: String
    /// The pieces of the synopsis, each of which stays on one line.
    let usage: [String]
    var discussion = ""
    let tables: [Table]

    var text: String {
        let tables = tables.filter { !$0.rows.isEmpty }.map(lines)
        let blocks = [filled(summary), usageLines, filled(discussion)] + tables
        return blocks.map { $0.joined(separator: "\n") }.filter { !$0.isEmpty }
            .joined(separator: "\n\n")
    }

    private var usageLines: [String] {
        let indent = String(repeating: " ", count: 11)
        let lines = filled(usage, width: helpWidth - indent.count)
        return ["Usage: " + lines[0]] + lines.dropFirst().map { indent + $0 }
    }

    /// Where the texts of all tables begin; a label too long for it has its text below.
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
