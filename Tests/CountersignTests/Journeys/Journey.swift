import Foundation
import ProgramTesting

/// A recorded terminal session, which a shell on a real terminal repeats.
///
/// `Tests/Journeys/README.md` describes the format.
struct Journey {
    private enum Step {
        /// The terminal shows these lines, and then waits at the last one.
        case show([String])
        /// The person types this; the screen shows it, unless it is secret.
        case type(String, isSecret: Bool)
        /// Another shell runs this meanwhile: at a prompt if the record goes on with a command.
        case runMeanwhile(String)
    }

    private let steps: [Step]

    init(_ record: String) {
        let lines = record.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        var steps: [Step] = []
        var shown: [String] = []
        /// Adds the lines since the last step, and the place where the terminal then waits.
        func wait(at place: String) {
            steps.append(.show(shown + [place]))
            shown = []
        }
        var isAtPrompt = false
        for (line, next) in zip(lines, lines.dropFirst() + ["$ "]) {
            if let command = line.text(after: "$ ") {
                if !isAtPrompt { wait(at: "$ ") }
                isAtPrompt = false
                steps.append(.type(command, isSecret: false))
            } else if let command = line.text(after: "& ") {
                let isBeforeCommand = ["$ ", "& "].contains { next.hasPrefix($0) }
                if !isAtPrompt { wait(at: isBeforeCommand ? "$ " : "") }
                isAtPrompt = isBeforeCommand
                steps.append(.runMeanwhile(command))
            } else if let typing = line.firstMatch(of: /^(.*)» (\[)?(.*?)\]?$/) {
                wait(at: String(typing.1))
                steps.append(.type(String(typing.3), isSecret: typing.2 != nil))
            } else {
                shown.append(line)
            }
        }
        if !isAtPrompt { wait(at: "$ ") }
        self.steps = steps
    }

    init(named name: String) throws {
        let path = URL(filePath: #filePath).appending(path: "../../../Journeys/\(name).txt")
        self.init(try String(contentsOf: path.standardized, encoding: .utf8))
    }

    /// Returns how the terminal differs from the record.
    func differences(on shell: JourneyShell, knowing known: [String: String] = [:]) throws
        -> [String]
    {
        var values = known
        var differences: [String] = []
        var echo = ""
        for step in steps {
            switch step {
            case .show(let lines):
                let expected = ExpectedScreen(lines, after: echo, knowing: values)
                echo = ""
                let shown = try shell.output(until: expected)
                guard let found = expected.values(in: shown) else {
                    differences.append("expected:\n\(expected.text)\nshown:\n\(shown)")
                    continue
                }
                values.merge(found) { $1 }
            case .type(let text, let isSecret):
                let text = filled(text, with: values)
                try shell.type(text)
                echo = isSecret ? "\n" : text.hasPrefix("^") ? "‹›\n" : "‹›\(text)\n"
            case .runMeanwhile(let command):
                try shell.runMeanwhile(filled(command, with: values))
            }
        }
        return differences
    }
}

extension String {
    fileprivate func text(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

/// Replaces `‹name›` by its value.
private func filled(_ text: String, with values: [String: String]) -> String {
    values.reduce(text) { $0.replacing("‹\($1.key)›", with: $1.value) }
}

/// The expected output of a terminal: each `‹name›` is a value of one line, and `...` is any lines.
struct ExpectedScreen {
    let text: String
    private let pattern: String
    private let lastLine: String

    fileprivate init(_ lines: [String], after echo: String, knowing values: [String: String]) {
        let text = echo + filled(lines.joined(separator: "\n"), with: values)
        self.text = text
        pattern = Self.pattern(of: text)
        // A program that waits without a prompt has ended its last line.
        let start = text.dropLast().lastIndex(of: "\n") ?? text.startIndex
        lastLine = Self.pattern(of: String(text[start...]))
    }

    private static func pattern(of text: String) -> String {
        var names: Set<String> = []
        let escaped = NSRegularExpression.escapedPattern(for: text)
        let lines = escaped.replacing(/(?m)^\\\.\\\.\\\.$/, with: "(?:[^\\n]*\\n)*?[^\\n]*")
        return lines.replacing(/‹([a-zA-Z]*)›/) { placeholder in
            let name = String(placeholder.1)
            if name.isEmpty { return "[^\\n]*?" }
            return names.insert(name).inserted ? "(?<\(name)>[^\\n]+?)" : "\\k<\(name)>"
        }
    }

    /// Whether the terminal waits at the last line.
    func isComplete(_ shown: String) -> Bool {
        shown.range(of: lastLine + "$", options: .regularExpression) != nil
    }

    /// The values of the placeholders; nil if the terminal shows something else.
    func values(in shown: String) -> [String: String]? {
        let range = NSRange(shown.startIndex..., in: shown)
        guard
            let expression = try? NSRegularExpression(pattern: "\\A\(pattern)\\z"),
            let match = expression.firstMatch(in: shown, range: range)
        else { return nil }
        let names = pattern.matches(of: /\(\?<([a-zA-Z]+)>/).map { String($0.1) }
        return names.reduce(into: [:]) { values, name in
            let found = Range(match.range(withName: name), in: shown)
            values[name] = found.map { String(shown[$0]) }
        }
    }
}
