/// Escapes characters that move the cursor, start a line or change the writing direction.
///
/// A text may come from a server, a file or an argument, and must not imitate another message.
func visible(_ text: String) -> String {
    escaping(text, keeping: []) { $0.escaped(asASCII: true) }
}

extension String {
    /// The text with escapes, on one line.
    package var onOneLine: String { visible(self) }
}

/// The style of bold text (ECMA-48, SGR).
enum Style {
    static let escape: Unicode.Scalar = "\u{1B}"
    static let bold = "[1m"
    static let plain = "[0m"
}

extension Output {
    /// The same escapes in all printed text, but not of its lines, columns and styles.
    func shown(_ text: String) -> String {
        func escaped(_ text: String) -> String {
            keepingIsolates(of: text) { text in
                escaping(text, keeping: ["\n", "\t"]) { $0.escaped(asASCII: true) }
            }
        }
        let pieces = text.unicodeScalars.split(
            separator: Style.escape,
            omittingEmptySubsequences: false
        ).map { String($0) }
        return pieces.dropFirst().reduce(escaped(pieces[0])) { shown, piece in
            let isStyle =
                isStyled
                && [Style.bold, Style.plain].contains { piece.utf8.starts(with: $0.utf8) }
            let escape = isStyle ? String(Style.escape) : visible(String(Style.escape))
            return shown + escape + escaped(piece)
        }
    }
}

/// Keeps the isolates of right-to-left letters, which move nothing outside of them.
private func keepingIsolates(of text: String, escape: (String) -> String) -> String {
    var (shown, rest) = ("", text.unicodeScalars[...])
    while let start = rest.firstIndex(of: Isolate.start) {
        let content = rest[rest.index(after: start)...].prefix {
            ![Isolate.start, Isolate.end, "\n"].contains($0)
        }
        let isWhole = content.endIndex < rest.endIndex && rest[content.endIndex] == Isolate.end
        if isWhole, content.contains(where: \.isRightToLeft) {
            shown += escape(String(rest[..<start]))
            shown += "\(Isolate.start)\(escape(String(content)))\(Isolate.end)"
            rest = rest[rest.index(after: content.endIndex)...]
        } else {
            shown += escape(String(rest[..<content.startIndex]))
            rest = rest[content.startIndex...]
        }
    }
    return shown + escape(String(rest))
}

/// The same JSON, with JSON's own escapes; outside of strings JSON has none of these characters.
func visibleJSON(_ text: String) -> String {
    escaping(text, keeping: ["\n", "\t", "\r"]) { scalar in
        UTF16.encode(scalar).map { units in
            units.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        } ?? ""
    }
}

private func escaping(
    _ text: String,
    keeping kept: Set<Unicode.Scalar>,
    with escape: (Unicode.Scalar) -> String
) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    return text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            kept.contains(scalar) ? String(scalar) : escape(scalar)
        default: String(scalar)
        }
    }.joined()
}
