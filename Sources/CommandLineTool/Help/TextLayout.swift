/// The width of help pages, whatever the width of the terminal.
let helpWidth = 80

/// Fills lines of at most `width` with `pieces`; none of them is broken.
package func filled(_ pieces: [String], width: Int) -> [String] {
    pieces.reduce(into: []) { lines, piece in
        if let line = lines.last, line.count + 1 + piece.count <= width {
            lines[lines.count - 1] += " \(piece)"
        } else {
            lines.append(piece)
        }
    }
}

/// Fills each paragraph of `text`; indented lines keep their layout.
func filled(_ text: String, width: Int = helpWidth) -> [String] {
    TextBlock.blocks(of: text).flatMap { block in
        switch block {
        case .paragraph(let words): filled(words, width: width)
        case .line(let line): [line]
        case .gap: [""]
        }
    }
}

/// A part of a text such as the discussion of a command.
enum TextBlock: Equatable {
    case paragraph([String])
    /// An indented line, with its indentation.
    case line(String)
    case gap

    static func blocks(of text: String) -> [TextBlock] {
        var blocks: [TextBlock] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                blocks.append(.gap)
            } else if line.hasPrefix(" ") {
                blocks.append(.line(String(line)))
            } else {
                let words = line.split(separator: " ").map(String.init)
                if case .paragraph(let before) = blocks.last {
                    blocks[blocks.count - 1] = .paragraph(before + words)
                } else {
                    blocks.append(.paragraph(words))
                }
            }
        }
        return blocks
    }
}

/// Lines with each column but the last as wide as its widest text.
package func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
        rows.filter { column < $0.count - 1 }.map { $0[column].width }.max() ?? 0
    }
    return rows.map { row in
        row.enumerated().map { column, text in
            guard column < row.count - 1 else { return text }
            return text + String(repeating: " ", count: widths[column] - text.width + 2)
        }
        .joined()
    }
}

/// `1 device`, `2 devices`.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
