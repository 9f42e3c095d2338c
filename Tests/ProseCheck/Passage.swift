import Foundation

/// A piece of prose that is read as a whole: a paragraph, a comment, a string or a test's name.
package struct Passage: Sendable {
    package struct Line: Sendable, Equatable {
        package let number: Int
        package let text: String

        package init(_ number: Int, _ text: String) {
            self.number = number
            self.text = text
        }
    }

    /// The lines joined by spaces, without code, links and tags.
    package let text: String
    private let lines: [Line]

    package init(_ lines: [Line]) {
        self.lines = lines.map { Line($0.number, Self.withoutCode($0.text)) }
        text = self.lines.map(\.text).joined(separator: " ")
    }

    /// The line of the file that has the character at this UTF-16 offset of `text`.
    package func line(at offset: Int) -> Int {
        var end = 0
        for line in lines {
            end += line.text.utf16.count + 1
            if offset < end { return line.number }
        }
        return lines.last?.number ?? 0
    }

    /// The sentences with the offset at which each starts.
    package var sentences: [(offset: Int, text: String)] {
        let whole = text as NSString
        var sentences: [(Int, String)] = []
        var start = 0
        for end in Self.sentenceEnd.matches(in: text, range: Self.range(of: text)) {
            let next = end.range.location + end.range.length
            sentences.append((start, whole.substring(with: NSRange(start..<next))))
            start = next
        }
        if start < whole.length { sentences.append((start, whole.substring(from: start))) }
        return sentences
    }

    static func range(of text: String) -> NSRange {
        NSRange(location: 0, length: text.utf16.count)
    }

    private static let sentenceEnd = expression(#"[.?!]["')*]*\s+"#)

    private static let code: [(NSRegularExpression, String)] = [
        (expression(#"``?[^`]*``?"#), "code"),
        (expression(#"\]\([^)]*\)"#), "]"),
        (expression(#"https?://\S+"#), "link"),
        (expression(#"</?[a-z][^>]*>"#), ""),
    ]

    private static func withoutCode(_ text: String) -> String {
        code.reduce(text) { text, rule in
            rule.0.stringByReplacingMatches(
                in: text,
                range: range(of: text),
                withTemplate: rule.1
            )
        }
    }
}

/// A pattern of this program's own, so it always compiles.
func expression(
    _ pattern: String,
    _ options: NSRegularExpression.Options = []
) -> NSRegularExpression {
    // swift-format-ignore: NeverUseForceTry
    try! NSRegularExpression(pattern: pattern, options: options)
}
