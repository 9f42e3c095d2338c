/// A manual page in the macros of man(7), for groff and mandoc.
struct ManualPage {
    private var lines: [String] = []

    init(of program: Program, on day: Day?) {
        let name = program.name
        let version = quoted("\(name) \(program.version)")
        // The date is not escaped: both programs parse it.
        let title = quoted(name.uppercased())
        lines.append(".TH \(title) \(program.section) \"\(day?.text ?? "")\" \(version)")
        section("NAME")
        add(TextBlock.blocks(of: "\(name) - \(program.summary.asPhrase)"))
        section(localized("SYNOPSIS", german: "ÜBERSICHT"))
        lines += [".B \(escaped(name))", escaped("\(program.commandPlace) [ARGUMENT]..."), ".br"]
        lines += [".B \(escaped("\(name) --help"))", ".br", ".B \(escaped("\(name) --version"))"]
        section(localized("DESCRIPTION", german: "BESCHREIBUNG"))
        add(TextBlock.blocks(of: program.summary + "\n\n" + program.manualDiscussion))
        section(localized("COMMANDS", german: "BEFEHLE"))
        for command in program.commands { add(command, of: program) }
        guard !program.related.isEmpty else { return }
        section(localized("SEE ALSO", german: "SIEHE AUCH"))
        lines.append(escaped(program.related.joined(separator: ", ")))
    }

    var text: String { lines.map { $0 + "\n" }.joined() }

    private mutating func section(_ heading: String) { lines.append(".SH \(escaped(heading))") }

    private mutating func add(_ command: any Command.Type, of program: Program) {
        lines.append(".SS \(quoted(command.name))")
        lines += [".nh", ".na"] + filled(command.synopsis(in: program), width: helpWidth).map(bold)
        lines += [".ad", ".hy", ".PP"]
        add(TextBlock.blocks(of: command.summary + "\n\n" + command.discussion))
        for syntax in ParameterList.syntaxes(of: command) {
            let label = [syntax.short, syntax.call].compactMap { $0 }.joined(separator: ", ")
            lines += [".TP", bold(label)]
            add(TextBlock.blocks(of: syntax.help))
        }
    }

    /// Indented lines keep their layout.
    ///
    /// A gap starts a paragraph only between two other blocks.
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
                lines += filled(words.map(escaped), width: sourceWidth)
                isLiteral = false
            }
            isGap = false
        }
        if isLiteral { lines += [".fi", ".RE"] }
    }
}

/// The limit of mandoc, for escaped text.
private let sourceWidth = 80

private func bold(_ text: String) -> String { ".B \(quoted(text))" }

private func quoted(_ text: String) -> String {
    "\"" + escaped(text).map { $0 == "\"" ? "\\(dq" : String($0) }.joined() + "\""
}

/// Escapes roff markup, and characters that roff would replace by typographic ones: commands must
/// stay copyable.
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
    // A line that begins with a point is a request.
    return characters.hasPrefix(".") ? "\\&" + characters : characters
}

extension String {
    /// `Approve payments.` becomes `approve payments`.
    fileprivate var asPhrase: String {
        prefix(1).lowercased() + (hasSuffix(".") ? dropFirst().dropLast() : dropFirst())
    }
}
