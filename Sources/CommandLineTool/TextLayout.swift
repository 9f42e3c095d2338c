/// The width that help is laid out for, whatever the terminal's.
let helpWidth = 80

/// Fills lines of at most `width` with `pieces`, none of which is broken.
func filled(_ pieces: [String], width: Int) -> [String] {
    pieces.reduce(into: []) { lines, piece in
        if let line = lines.last, line.count + 1 + piece.count <= width {
            lines[lines.count - 1] += " \(piece)"
        } else {
            lines.append(piece)
        }
    }
}

/// Fills each paragraph of `text`; indented lines stay as they are.
func filled(_ text: String, width: Int = helpWidth) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var filledLines: [String] = []
    var paragraph: [String] = []
    for line in lines + [""] {
        if !line.isEmpty, !line.hasPrefix(" ") {
            paragraph += line.split(separator: " ").map(String.init)
            continue
        }
        filledLines += filled(paragraph, width: width) + [String(line)]
        paragraph = []
    }
    return filledLines.dropLast()
}

/// Lines with each column but the last as wide as its widest text.
package func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
        rows.filter { column < $0.count - 1 }.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
        row.enumerated().map { column, text in
            guard column < row.count - 1 else { return text }
            return text + String(repeating: " ", count: widths[column] - text.count + 2)
        }
        .joined()
    }
}

/// `1 device`, `2 devices`.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
