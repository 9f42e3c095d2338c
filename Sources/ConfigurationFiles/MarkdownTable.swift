/// A table of a Markdown page.
package func markdownTable(_ heading: [String], _ rows: [[String]]) -> String {
    ([heading, heading.map { _ in "---" }] + rows).map { row in
        let cells = row.map { $0.split(separator: "|").joined(separator: "\\|") }
        return "| \(cells.joined(separator: " | ")) |\n"
    }
    .joined()
}
