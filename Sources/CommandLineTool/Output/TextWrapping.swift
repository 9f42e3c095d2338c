extension String {
    /// A longer word has a line of its own, so that it can be copied.
    ///
    /// The rest of a line is indented, so that no part of it looks like a line of its own.
    func wrapped(toWidth width: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { Self.wrapped(String($0), width) }.joined(separator: "\n")
    }

    private static func wrapped(_ line: String, _ columns: Int) -> String {
        guard line.width > columns else { return line }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let indent = String(repeating: " ", count: line.prefix { $0 == " " }.count + 2)
        var (lines, current) = ([String](), words[0])
        for word in words.dropFirst() {
            let width = (lines.isEmpty ? 0 : indent.width) + current.width + 1 + word.width
            // A space at the end of a question needs no line of its own.
            if word.isEmpty || width <= columns {
                current += " \(word)"
            } else {
                lines.append(current)
                current = word
            }
        }
        return (lines + [current]).withWholeIsolates.joined(separator: "\n" + indent)
    }
}
