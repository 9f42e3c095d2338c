/// The help of all commands in Markdown, for the documentation.
struct MarkdownManual {
    private var paragraphs: [String] = []

    init(of program: Program) {
        paragraphs.append("# \(program.name)")
        add(program.summary + "\n\n" + program.manualDiscussion)
        let name = program.name
        paragraphs.append(
            localized(
                "This page is generated: run `\(name) manual --markdown`. See also `\(name) --help`.",
                german:
                    "Diese Seite stammt von `\(name) manual --markdown`. Siehe auch `\(name) --help`."
            )
        )
        paragraphs.append(localized("## Commands", german: "## Befehle"))
        paragraphs.append(
            program.commands.map { "- [`\($0.name)`](#\($0.anchor)): \(escaped($0.summary))" }
                .joined(separator: "\n")
        )
        for command in program.commands { add(command, of: program) }
    }

    var text: String { paragraphs.joined(separator: "\n\n") + "\n" }

    private mutating func add(_ command: any Command.Type, of program: Program) {
        paragraphs.append("## \(command.name)")
        paragraphs.append(escaped(command.summary))
        let synopsis = filled(command.synopsis(in: program), width: helpWidth)
        paragraphs.append(codeBlock(synopsis.joined(separator: "\n    ").split(separator: "\n")))
        add(command.discussion)
        let rows = ParameterList.syntaxes(of: command).map { syntax in
            let names = [syntax.short, syntax.call].compactMap { $0 }.joined(separator: ", ")
            return "- `\(names)`: \(escaped(syntax.help))"
        }
        paragraphs.append(rows.joined(separator: "\n"))
    }

    private mutating func add(_ text: String) {
        var lines: [Substring] = []
        for block in TextBlock.blocks(of: text) {
            switch block {
            case .line(let line): lines.append(line.dropFirst(4))
            case .gap where !lines.isEmpty: lines.append("")
            case .gap: break
            case .paragraph(let words):
                endCode(&lines)
                paragraphs.append(escaped(words.joined(separator: " ")))
            }
        }
        endCode(&lines)
    }

    private mutating func endCode(_ lines: inout [Substring]) {
        while lines.last?.isEmpty == true { lines.removeLast() }
        if !lines.isEmpty { paragraphs.append(codeBlock(lines)) }
        lines = []
    }
}

private func codeBlock(_ lines: [Substring]) -> String {
    "```text\n" + lines.joined(separator: "\n") + "\n```"
}

/// Escapes characters that start markup.
private func escaped(_ text: String) -> String {
    text.map { "\\`*_<>[]|#".contains($0) ? "\\\($0)" : String($0) }.joined()
}

extension Command {
    fileprivate static var anchor: String { words.joined(separator: "-") }
}
