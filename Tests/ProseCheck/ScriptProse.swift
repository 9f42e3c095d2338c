import Foundation

/// The prose of scripts and makefiles: comments, and the strings that they print.
enum ScriptProse {
    static func passages(in lines: [Passage.Line]) -> [Passage] {
        var passages: [Passage] = []
        var comment: [Passage.Line] = []
        for line in lines {
            let text = line.text.drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("#"), !text.hasPrefix("#!") {
                comment.append(Passage.Line(line.number, String(text.drop { $0 == "#" })))
                continue
            }
            if !comment.isEmpty { passages += MarkdownProse.passages(in: comment) }
            comment = []
            if let help = text.range(of: ": ## ") ?? text.range(of: " ## ") {
                passages.append(
                    Passage([Passage.Line(line.number, String(text[help.upperBound...]))])
                )
            }
            let whole = String(text)
            for match in string.matches(in: whole, range: Passage.range(of: whole)) {
                let text = (whole as NSString).substring(with: match.range)
                guard text.split(separator: " ").count >= 4 else { continue }
                passages.append(Passage([Passage.Line(line.number, text)]))
            }
        }
        return passages + MarkdownProse.passages(in: comment)
    }

    /// Text in quotes that starts as a sentence does.
    private static let string = expression(#"(?<=")[A-Z][^"$\\]*(?=")"#)
}

/// The texts of an OpenAPI document.
enum OpenAPIProse {
    static func passages(in lines: [Passage.Line]) -> [Passage] {
        lines.compactMap { line in
            let range = Passage.range(of: line.text)
            guard let match = member.firstMatch(in: line.text, range: range) else { return nil }
            let text = (line.text as NSString).substring(with: match.range(at: 1))
            return Passage([Passage.Line(line.number, text)])
        }
    }

    private static let member = expression(
        #""(?:summary|description|title)"\s*:\s*"((?:[^"\\]|\\.)*)""#
    )
}
