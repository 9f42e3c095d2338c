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
