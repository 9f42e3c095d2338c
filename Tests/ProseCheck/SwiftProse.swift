import Foundation

/// The prose of a Swift source: comments, strings with a sentence in them, and names with spaces.
struct SwiftProse {
    private(set) var passages: [Passage] = []

    private var remaining: ArraySlice<UInt8>
    private var line = 1
    private var comment: [Passage.Line] = []
    /// Whether the next string is a translation, which the rules of English do not concern.
    private var isGermanNext = false

    init(_ text: String) {
        remaining = Array(text.utf8)[...]
        readCode()
        endComment()
    }

    private mutating func readCode(inInterpolation: Bool = false) {
        var openParentheses = 0
        while let byte = remaining.first {
            if remaining.starts(with: "//".utf8) {
                readLineComment()
            } else if remaining.starts(with: "/*".utf8) {
                readBlockComment()
            } else if let delimiter = Delimiter(opening: remaining) {
                readString(delimiter)
            } else if byte == UInt8(ascii: "`") {
                readName()
            } else {
                if remaining.starts(with: "german:".utf8) { isGermanNext = true }
                next()
                if byte == UInt8(ascii: "(") { openParentheses += 1 }
                if byte == UInt8(ascii: ")") { openParentheses -= 1 }
                if inInterpolation, openParentheses < 0 { return }
            }
        }
    }

    @discardableResult
    private mutating func next() -> UInt8? {
        let byte = remaining.popFirst()
        if byte == newline { line += 1 }
        return byte
    }

    private mutating func readLineComment() {
        // `remaining` is a slice of the source's bytes, which may have bytes before it.
        let bytes = remaining.prefix { $0 != newline }
        remaining = remaining.dropFirst(bytes.count)
        let text = String(decoding: bytes, as: UTF8.self).drop { $0 == "/" }
        if let last = comment.last, last.number != line - 1 { endComment() }
        comment.append(Passage.Line(line, String(text)))
    }

    private mutating func endComment() {
        passages += MarkdownProse.passages(in: comment)
        comment = []
    }

    private mutating func readBlockComment() {
        var bytes: [UInt8] = []
        let start = line
        while !remaining.isEmpty, !remaining.starts(with: "*/".utf8) {
            if let byte = next() { bytes.append(byte) }
        }
        remaining = remaining.dropFirst(2)
        passages += MarkdownProse.passages(in: lines(of: bytes, from: start))
    }

    private mutating func readName() {
        let name = remaining.dropFirst().prefix { $0 != UInt8(ascii: "`") && $0 != newline }
        remaining = remaining.dropFirst(name.count + 2)
        guard name.contains(UInt8(ascii: " ")) else { return }
        passages.append(Passage([Passage.Line(line, String(decoding: name, as: UTF8.self))]))
    }

    private mutating func readString(_ delimiter: Delimiter) {
        remaining = remaining.dropFirst(delimiter.opening.utf8.count)
        let isGerman = isGermanNext
        isGermanNext = false
        let start = line
        var bytes: [UInt8] = []
        while !remaining.isEmpty, !remaining.starts(with: delimiter.closing.utf8) {
            if remaining.starts(with: (delimiter.escape + "(").utf8) {
                remaining = remaining.dropFirst(delimiter.escape.utf8.count + 1)
                readCode(inInterpolation: true)
                bytes += "X".utf8
            } else if remaining.starts(with: delimiter.escape.utf8) {
                remaining = remaining.dropFirst(delimiter.escape.utf8.count)
                let escaped = next()
                bytes.append(
                    escaped == UInt8(ascii: "n") || escaped == newline
                        ? UInt8(ascii: " ") : escaped ?? UInt8(ascii: " ")
                )
            } else if let byte = next() {
                // Then it was not a string, but a quotation mark in a regular expression.
                if !delimiter.isMultiline, byte == newline { return }
                bytes.append(byte)
            }
        }
        remaining = remaining.dropFirst(delimiter.closing.utf8.count)
        guard !isGerman, Self.isSentence(String(decoding: bytes, as: UTF8.self)) else { return }
        passages += MarkdownProse.passages(in: withoutTables(lines(of: bytes, from: start)))
    }

    /// Without the indented lines, which are tables, commands and scripts.
    private func withoutTables(_ lines: [Passage.Line]) -> [Passage.Line] {
        let indentations = lines.filter { !$0.text.allSatisfy { $0 == " " } }
            .map { $0.text.prefix { $0 == " " }.count }
        let tableIndentation = (indentations.min() ?? 0) + 4
        return lines.map { line in
            let isTable = line.text.prefix { $0 == " " }.count >= tableIndentation
            return isTable ? Passage.Line(line.number, "") : line
        }
    }

    private func lines(of bytes: [UInt8], from start: Int) -> [Passage.Line] {
        bytes.split(separator: newline, omittingEmptySubsequences: false).enumerated()
            .map { Passage.Line(start + $0.offset, String(decoding: $0.element, as: UTF8.self)) }
    }

    /// Returns whether a person reads this: three words or more, which are not SQL or JSON.
    private static func isSentence(_ text: String) -> Bool {
        let words = text.split { $0 == " " || $0 == "\n" }.filter {
            $0.contains(where: \.isLetter)
        }
        guard words.count >= 3, let first = words.first else { return false }
        return !sql.contains(first) && !text.contains("\":")
    }

    private static let sql: Set<Substring> = [
        "ALTER", "AND", "BEGIN", "CASE", "CREATE", "DELETE", "DROP", "FROM", "INSERT", "ON",
        "ORDER", "PRAGMA", "SELECT", "SET", "UPDATE", "VALUES", "WHERE", "WITH",
    ]
}

private let newline = UInt8(ascii: "\n")

/// The characters that open a string, and so decide how it ends: `"`, `"""`, `#"` and so on.
private struct Delimiter {
    let opening: String
    let closing: String
    let escape: String
    let isMultiline: Bool

    init?(opening text: ArraySlice<UInt8>) {
        guard text.first == UInt8(ascii: "\"") || text.first == UInt8(ascii: "#") else {
            return nil
        }
        let hashes = String(repeating: "#", count: text.prefix { $0 == UInt8(ascii: "#") }.count)
        let quotes = text.dropFirst(hashes.utf8.count)
        guard quotes.first == UInt8(ascii: "\"") else { return nil }
        let afterThree = quotes.dropFirst(3).drop { " \t".utf8.contains($0) }
        isMultiline = quotes.starts(with: "\"\"\"".utf8) && afterThree.first == newline
        let quote = isMultiline ? "\"\"\"" : "\""
        opening = hashes + quote
        closing = quote + hashes
        escape = "\\" + hashes
    }
}
