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
    /// A long value is broken here and not by the screen, so that no part of it looks like a name.
    package func lines(of facts: [Fact], indent: Int) -> [String] {
        let nameWidth = facts.map(\.name.width).max() ?? 0
        return facts.flatMap { fact in
            let values =
                fact.staysWhole
                ? [fact.value] : broken(fact.value, indent: indent + nameWidth + 2)
            let isolated =
                fact.isComposed ? values.withWholeIsolates : values.map(\.isolated)
            return isolated.enumerated().map { index, line in
                let name = index == 0 ? fact.name.isolated : ""
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
