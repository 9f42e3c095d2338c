/// Paragraphs, headings, list items and table cells of Markdown, without blocks of code.
enum MarkdownProse {
    static func passages(
        in lines: [Passage.Line],
        withIndentedCode: Bool = false
    ) -> [Passage] {
        var reader = Reader(readsIndentedCode: withIndentedCode)
        for line in lines { reader.read(line) }
        reader.endParagraph()
        return reader.passages
    }

    private struct Reader {
        let readsIndentedCode: Bool
        var passages: [Passage] = []
        private var paragraph: [Passage.Line] = []
        private var fence: Substring?

        mutating func read(_ line: Passage.Line) {
            let text = line.text.drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("```") || text.hasPrefix("~~~") {
                endParagraph()
                fence = fence == nil ? text.prefix(3) : nil
            } else if fence != nil || isIndentedCode(line.text) {
                return
            } else if text.allSatisfy({ "=-*_ |:".contains($0) }) {
                endParagraph()
            } else if text.hasPrefix("|") {
                endParagraph()
                for cell in text.split(separator: "|") {
                    passages.append(Passage([Passage.Line(line.number, String(cell))]))
                }
            } else {
                if startsBlock(text) { endParagraph() }
                paragraph.append(Passage.Line(line.number, String(text)))
                if text.hasPrefix("#") { endParagraph() }
            }
        }

        mutating func endParagraph() {
            if !paragraph.isEmpty { passages.append(Passage(paragraph)) }
            paragraph = []
        }

        /// In Markdown files four spaces after an empty line start code.
        private func isIndentedCode(_ text: String) -> Bool {
            readsIndentedCode && paragraph.isEmpty && text.hasPrefix("    ")
        }

        init(readsIndentedCode: Bool) {
            self.readsIndentedCode = readsIndentedCode
        }

        private func startsBlock(_ text: Substring) -> Bool {
            if text.hasPrefix("#") || text.hasPrefix("- ") || text.hasPrefix("* ") { return true }
            let number = text.prefix { $0.isNumber }
            let rest = text.dropFirst(number.count)
            // A number and two spaces begin a row of a table, such as the exit codes.
            return !number.isEmpty && (rest.hasPrefix(". ") || rest.hasPrefix("  "))
        }
    }
}
