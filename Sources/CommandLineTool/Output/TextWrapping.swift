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
            // A space at the end of a question needs no line of its own.
            if word.isEmpty || current.width + 1 + word.width <= columns {
                current += " \(word)"
            } else if Isolate.isOpen(in: current) {
                // The end of a line ends an isolate too.
                lines.append(current + String(Isolate.end))
                current = indent + String(Isolate.start) + word
            } else {
                lines.append(current)
                current = indent + word
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }
}
