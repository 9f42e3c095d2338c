/// A page of the manual in the macros of man(7), which groff and mandoc read alike.
struct ManualPage {
    private var lines: [String] = []

    init(of program: Program, on day: Day?) {
        let name = program.name
        let version = quoted("\(name) \(program.version)")
        // In a date, which both programs read, a hyphen is a hyphen.
        let title = quoted(name.uppercased())
        lines.append(".TH \(title) \(program.section) \"\(day?.text ?? "")\" \(version)")
        section("NAME")
        lines.append(escaped("\(name) - \(program.summary.asPhrase)"))
        section("SYNOPSIS")
        lines += [".B \(escaped(name))", escaped("COMMAND [ARGUMENT]..."), ".br"]
        lines += [".B \(escaped("\(name) --help"))", ".br", ".B \(escaped("\(name) --version"))"]
        section("DESCRIPTION")
        add(TextBlock.blocks(of: program.summary + "\n\n" + program.discussion))
        section("COMMANDS")
        for command in program.commands { add(command, of: program) }
        guard !program.related.isEmpty else { return }
        section("SEE ALSO")
        lines.append(escaped(program.related.joined(separator: ", ")))
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    private mutating func section(_ heading: String) { lines.append(".SH \(heading)") }

    private mutating func add(_ command: any Command.Type, of program: Program) {
        lines.append(".SS \(quoted(command.name))")
        lines += [".nh", ".na"] + filled(command.synopsis(in: program), width: helpWidth).map(bold)
        lines += [".ad", ".hy", ".PP"]
        add(TextBlock.blocks(of: command.summary + "\n\n" + command.discussion))
        for syntax in command.syntaxes {
            let label = [syntax.short, syntax.call].compactMap { $0 }.joined(separator: ", ")
            lines += [".TP", bold(label)]
            add(TextBlock.blocks(of: syntax.help))
        }
    }

    /// A gap is a new paragraph where something stands before it and behind it; lines that are
    /// indented stay lines.
    private mutating func add(_ blocks: [TextBlock]) {
        var (isGap, isLiteral) = (false, false)
        for block in blocks {
            if case .gap = block {
                isGap = true
                continue
            }
            if case .line(let line) = block {
                if !isLiteral {
                    lines += (isGap ? [".PP"] : []) + [".RS 4", ".nf"]
                } else if isGap {
                    lines.append(".sp")
                }
                lines.append(escaped(String(line.dropFirst(4))))
                isLiteral = true
            }
            if case .paragraph(let words) = block {
                if isLiteral { lines += [".fi", ".RE"] }
                if isGap { lines.append(".PP") }
                lines += filled(words, width: sourceWidth).map(escaped)
                isLiteral = false
            }
            isGap = false
        }
        if isLiteral { lines += [".fi", ".RE"] }
    }
}

/// Of what is filled anew when it is shown: short enough to be so with every hyphen escaped.
private let sourceWidth = 68

private func bold(_ text: String) -> String { ".B \(quoted(text))" }

private func quoted(_ text: String) -> String {
    "\"" + escaped(text).map { $0 == "\"" ? "\\(dq" : String($0) }.joined() + "\""
}

/// So that all of it is shown as it stands here: what roff takes for its own, and what it would show
/// as a hyphen or a typographic quote, of which a shell knows nothing.
private func escaped(_ text: String) -> String {
    let names: [Unicode.Scalar: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
    ]
    let characters = text.unicodeScalars.map { scalar in
        if let name = names[scalar] { return name }
        guard !scalar.isASCII else { return String(scalar) }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)]"
    }
    .joined()
    // A point that begins a line begins a request, too.
    return characters.hasPrefix(".") ? "\\&" + characters : characters
}

extension String {
    /// A sentence as part of a line: `Approve payments.` is `approve payments`.
    fileprivate var asPhrase: String {
        prefix(1).lowercased() + (hasSuffix(".") ? dropFirst().dropLast() : dropFirst())
    }
}
