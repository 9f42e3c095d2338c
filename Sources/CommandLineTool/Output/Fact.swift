/// A name and a value on a page.
package struct Fact {
    let name: String
    let value: String
    let isBold: Bool

    package init(_ name: String, _ value: String, isBold: Bool = false) {
        self.name = name
        self.value = value
        self.isBold = isBold
    }
}

extension Output {
    /// One line per fact, with the values in one column.
    ///
    /// A long value is broken here and not by the screen, so that no part of it looks like a name.
    package func lines(of facts: [Fact], indent: Int) -> [String] {
        let nameWidth = facts.map(\.name.width).max() ?? 0
        return facts.flatMap { fact in
            broken(fact.value, indent: indent + nameWidth + 2).enumerated().map { index, line in
                let name = index == 0 ? fact.name : ""
                let gap = String(repeating: " ", count: nameWidth - name.width + 2)
                return String(repeating: " ", count: indent) + name + gap
                    + (fact.isBold ? bold(line) : line)
            }
        }
    }

    /// Lines that fit on the screen after the indent, broken at a space if one is near the end.
    package func broken(_ text: String, indent: Int = 0) -> [String] {
        guard let columns else { return [text] }
        let width = max(2, columns - indent)
        var (lines, line) = ([String](), "")
        for character in text {
            if line.width + character.width > width {
                if character == " " {
                    lines.append(line)
                    line = ""
                    continue
                }
                let space = line.suffix(width / 3).lastIndex(of: " ")
                lines.append(String(line[..<(space ?? line.endIndex)]))
                line = space.map { String(line[line.index(after: $0)...]) } ?? ""
            }
            line.append(character)
        }
        return lines + [line]
    }
}

extension String {
    fileprivate var width: Int { reduce(0) { $0 + $1.width } }
}

extension Character {
    /// The maximum number of columns; some terminals use fewer.
    fileprivate var width: Int { unicodeScalars.reduce(0) { $0 + $1.width } }
}

extension Unicode.Scalar {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]

    /// East Asian characters and pictographs are two columns wide.
    fileprivate var width: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: 0
        default: Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }
}
