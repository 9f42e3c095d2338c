package import Foundation
import TestSupport
import Testing

/// The help of a program in a locale.
package struct HelpEdition: CustomTestStringConvertible, Sendable {
    package let program: String
    private let locale: String
    /// The file of the expected pages.
    private let pages: URL

    package var testDescription: String { "\(program), \(locale)" }

    package init(_ program: String, locale: String = "C", pages: URL) {
        (self.program, self.locale, self.pages) = (program, locale, pages)
    }

    package func run(_ words: [String]) throws -> String {
        let run = try FinishedProcess.run(
            BuiltProducts.path(of: program),
            words,
            environment: ["LC_ALL": locale]
        )
        #expect(run.exitCode == 0)
        return run.output
    }

    package func help(_ words: [String]) throws -> String { try run(words + ["--help"]) }

    /// The names of all commands that the program's help lists.
    package func commands() throws -> [String] {
        let list = try help([])
        let described = list.matches(of: /(?m)^  ([a-z][a-z -]*?)  +\p{Lu}/)
            .map { String($0.1) }.filter { !$0.hasPrefix(program) }
        let named = list.firstMatch(of: /\n(?:Also|Weitere): (.*)/)?.1.split(separator: ", ")
        return described + (named.map { $0.map(String.init) + ["help"] } ?? [])
    }

    /// The expected pages, each after its command.
    package func written() throws -> [String] {
        try String(contentsOf: pages, encoding: .utf8).split(separator: "$ ").map(String.init)
    }

    package func expectWrittenPages() throws {
        let pages = try ([""] + commands().map { $0 + " " }).map { words in
            let page = try help(words.split(separator: " ").map(String.init))
            return "\(program) \(words)--help\n\(page)\n"
        }
        let written = try written()
        for (page, written) in zip(pages, written) { #expect(page == written) }
        #expect(pages.count == written.count)
    }

    package func expectReferencePage() throws {
        let page = URL(filePath: #filePath)
            .appending(path: "../../../docs/reference/\(program).md").standardized
        let manual = try run(["manual", "--markdown"])
        #expect(try String(contentsOf: page, encoding: .utf8) == manual)
    }

    /// Two formatters have no warnings.
    package func expectManualPage(section: Int = 1) throws {
        let folder = try TemporaryFolder()
        let page = try run(["manual", "--date", "2026-11-22"])
        let path = try folder.write(page, to: "\(program).\(section)")
        let mandoc = try FinishedProcess.run("mandoc", ["-Tlint", "-Wall", path])
        #expect(mandoc.output + mandoc.errorOutput == "")
        let groff = try FinishedProcess.run("groff", ["-man", "-Tutf8", "-ww", "-z", path])
        #expect(groff.output + groff.errorOutput == "")
    }

    /// Each shell loads its completions, and fish completes the beginning of `command`.
    package func expectCompletions(of command: String) throws {
        let path = URL(filePath: BuiltProducts.path(of: program)).deletingLastPathComponent().path
        // Each script prints the program or a completion if the shell loaded it.
        let scripts = [
            "bash": "source <(\(program) completion bash) && complete -p \(program)",
            "zsh": """
            autoload -U compinit && compinit -u -D && source <(\(program) completion zsh) &&
                print -r -- $_comps[\(program)]
            """,
            "fish": """
            \(program) completion fish | source
            complete -C '\(program) \(command.prefix(3))'
            """,
        ]
        let home = try TemporaryFolder()
        for (shell, script) in scripts {
            let run = try FinishedProcess.run(
                shell,
                ["-c", script],
                environment: [
                    "HOME": home.path, "PATH": "\(path):/usr/bin:/bin", "XDG_DATA_HOME": home.path,
                ]
            )
            #expect(run.exitCode == 0, "\(shell): \(run.errorOutput)")
            #expect(run.errorOutput == "", "\(shell)")
            let expected = shell == "fish" ? command : program
            #expect(run.output.contains(expected), "\(shell): \(run.output)")
        }
    }
}
