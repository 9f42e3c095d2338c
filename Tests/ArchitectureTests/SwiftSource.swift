/// Swift source text, understood just as far as its imports need.
struct SwiftSource: Sendable {
    /// A comment or a string without an end, which may hide imports.
    struct Unclosed: Error, Equatable {
        let opening: String
    }

    /// The text without its comments and strings.
    private var code: [UInt8] = []
    private var remaining: ArraySlice<UInt8>

    init(_ text: String) throws(Unclosed) {
        remaining = Array(text.utf8)[...]
        try readCode()
        let code = String(decoding: code, as: UTF8.self)
        (imports, words) = (Self.imports(in: code), Self.words(in: code))
        calls = Self.calls(in: code)
        self.code = []
    }

    /// The imported modules, also those in inactive `#if` branches.
    private(set) var imports: Set<String> = []

    /// Every name and keyword.
    private(set) var words: Set<Substring> = []

    /// The functions that are called without a value or a type before their name.
    private(set) var calls: Set<Substring> = []

    /// `import` is a reserved word: in code it starts an import, unless it names a member.
    private static func imports(in code: String) -> Set<String> {
        guard code.contains("import") else { return [] }
        let statement =
            #/
            (?: ^ | [^\w.`] ) import \b \s*
            (?: (?: typealias | struct | class | enum | protocol | let | var | func ) \b \s* )?
            `? (?<module> \w+ )
            /#
        return Set(code.matches(of: statement).map { String($0.module) })
    }

    private static func calls(in code: String) -> Set<Substring> {
        let pieces = code.split(separator: "(", omittingEmptySubsequences: false).dropLast()
        let names = pieces.compactMap { piece -> Substring? in
            let start = piece.lastIndex { !isInWord($0) }.map(piece.index(after:))
            let name = piece[(start ?? piece.startIndex)...]
            let before = piece[..<name.startIndex]
            return before.last == "." || before.hasSuffix("func ") ? nil : name
        }
        return Set(names)
    }

    private static func isInWord(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    private static func words(in code: String) -> Set<Substring> {
        let words = code.split { !isInWord($0) }
        return Set(words.filter { $0.first?.isNumber == false })
    }

    /// Reads to the end of the text, or to the `)` that ends an interpolation.
    private mutating func readCode(inInterpolation: Bool = false) throws(Unclosed) {
        var openParentheses = 0
        while let byte = remaining.first {
            if skip("//") {
                remaining = remaining.drop { !Self.newlines.contains($0) }
            } else if skip("/*") {
                try skipBlockComment()
            } else if let string = StringDelimiter(opening: remaining) {
                try skipString(string)
            } else {
                code.append(remaining.removeFirst())
                if byte == UInt8(ascii: "(") { openParentheses += 1 }
                if byte == UInt8(ascii: ")") { openParentheses -= 1 }
                if inInterpolation, openParentheses < 0 { return }
            }
        }
        if inInterpolation { throw Unclosed(opening: #"\("#) }
    }

    private mutating func skipBlockComment() throws(Unclosed) {
        // A comment parts two words as a space does.
        code.append(UInt8(ascii: " "))
        while !skip("*/") {
            if skip("/*") {
                try skipBlockComment()
            } else if remaining.popFirst() == nil {
                throw Unclosed(opening: "/*")
            }
        }
    }

    private mutating func skipString(_ string: StringDelimiter) throws(Unclosed) {
        remaining = remaining.dropFirst(string.opening.utf8.count)
        while !skip(string.closing) {
            if skip(string.escape + "(") {
                try readCode(inInterpolation: true)
            } else if skip(string.escape) {
                remaining = remaining.dropFirst()
            } else if let byte = remaining.popFirst() {
                // Then it was not a string, but a quotation mark in a regular expression.
                if !string.isMultiline, Self.newlines.contains(byte) {
                    return code.append(byte)
                }
            } else {
                throw Unclosed(opening: string.opening)
            }
        }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard remaining.starts(with: text.utf8) else { return false }
        remaining = remaining.dropFirst(text.utf8.count)
        return true
    }

    private static let newlines = "\n\r".utf8
}

/// The characters that open a string, and so decide how it ends: `"`, `"""`, `#"` and so on.
private struct StringDelimiter {
    let opening: String
    let closing: String
    let escape: String
    let isMultiline: Bool

    init?(opening text: ArraySlice<UInt8>) {
        let hashes = String(repeating: "#", count: text.prefix { $0 == UInt8(ascii: "#") }.count)
        let quotes = text.dropFirst(hashes.utf8.count)
        guard quotes.first == UInt8(ascii: "\"") else { return nil }
        // The text of a multi-line string starts on a new line.
        let afterThree = quotes.dropFirst(3).drop { " \t".utf8.contains($0) }
        isMultiline =
            quotes.starts(with: "\"\"\"".utf8) && afterThree.first.map("\n\r".utf8.contains) == true
        let quote = isMultiline ? "\"\"\"" : "\""
        opening = hashes + quote
        closing = quote + hashes
        escape = "\\" + hashes
    }
}
