/// A name and a value on a page.
package struct Fact {
    let name: String
    let value: String
    let isBold: Bool
    /// Whether only the screen breaks it, so that a person can copy it.
    let staysWhole: Bool
    /// Whether the value has several texts, which are isolated if necessary.
    let isComposed: Bool

    package init(
        _ name: String,
        _ value: String,
        isBold: Bool = false,
        staysWhole: Bool = false,
        isComposed: Bool = false
    ) {
        self.name = name
        self.value = value
        self.isBold = isBold
        self.staysWhole = staysWhole
        self.isComposed = isComposed
    }
}

extension Output {
    /// One line per fact, with the values in one column.
    ///
    /// A long value is broken here and not by the screen, so that no part of it looks like a name. If
    /// the values had less than half of the screen, each one is below its name.
    package func lines(of facts: [Fact], indent: Int) -> [String] {
        let nameWidth = facts.map(\.name.width).max() ?? 0
        let start = indent + nameWidth + 2
        if let columns, columns - start < columns / 2 {
            return facts.flatMap { linesBelowName(of: $0, indent: indent) }
        }
        return facts.flatMap { fact in
            valueLines(of: fact, indent: start).enumerated().map { index, line in
                let name = index == 0 ? fact.name.isolated : ""
                let gap = spaces(index == 0 ? nameWidth - fact.name.width + 2 : nameWidth + 2)
                return spaces(indent) + name + gap + line
            }
        }
    }

    /// The name, and then the value with a deeper indent than each line of a name.
    private func linesBelowName(of fact: Fact, indent: Int) -> [String] {
        let names = fact.name.isEmpty ? [] : broken(fact.name, indent: indent + 2)
        return names.enumerated().map { index, line in
            spaces(index == 0 ? indent : indent + 2) + line.isolated
        } + valueLines(of: fact, indent: indent + 4).map { spaces(indent + 4) + $0 }
    }

    private func valueLines(of fact: Fact, indent: Int) -> [String] {
        let lines = fact.staysWhole ? [fact.value] : broken(fact.value, indent: indent)
        let isolated = fact.isComposed ? lines.withWholeIsolates : lines.map(\.isolated)
        return fact.isBold ? isolated.map(bold) : isolated
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

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
