import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import CommandLineTool

extension `The built program` {
    @Suite struct `Help` {
        private static let programs = ["countersign", "countersignd"]

        private static func help(_ words: [String], of program: String) throws -> String {
            let page = try FinishedProcess.run(BuiltProducts.path(of: program), words + ["--help"])
            #expect(page.exitCode == 0)
            return page.output
        }

        /// The expected pages, each after its command.
        private static func written(of program: String) throws -> [String] {
            let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "help-\(program).txt"
            )
            return try String(contentsOf: path, encoding: .utf8).split(separator: "$ ")
                .map(String.init)
        }

        @Test(arguments: programs)
        func `equals the expected text of every command`(_ program: String) throws {
            let list = try Self.help([], of: program)
            let described = list.matches(of: /(?m)^  ([a-z][a-z -]*?)  +[A-Z]/)
                .map { String($0.1) }.filter { !$0.hasPrefix(program) }
            let named = list.firstMatch(of: /\nAlso: (.*)/)?.1.split(separator: ", ")
            let commands = described + (named.map { $0.map(String.init) + ["help"] } ?? [])
            #expect(commands.count > 15)
            let pages = try ([""] + commands.map { $0 + " " }).map { words in
                let page = try Self.help(words.split(separator: " ").map(String.init), of: program)
                return "\(program) \(words)--help\n\(page)\n"
            }
            let written = try Self.written(of: program)
            for (page, written) in zip(pages, written) { #expect(page == written) }
            #expect(pages.count == written.count)
        }

        /// To update the page: `PROGRAM manual --markdown >docs/reference/PROGRAM.md`.
        @Test(arguments: programs)
        func `equals the reference page in docs`(_ program: String) throws {
            let manual = try FinishedProcess.run(
                BuiltProducts.path(of: program),
                ["manual", "--markdown"]
            )
            let page = URL(filePath: #filePath)
                .appending(path: "../../../docs/reference/\(program).md").standardized
            #expect(try String(contentsOf: page, encoding: .utf8) == manual.output)
        }

        @Test(arguments: programs)
        func `lists exactly the exit codes`(_ program: String) throws {
            let words = program == "countersign" ? ["exit-codes"] : []
            let help = try Self.help(words, of: program)
            let table = try #require(help.firstMatch(of: /(?s)\nExit codes:\n(.*?)(\n\n|$)/)).1
            let named = table.matches(of: /(?m)^    (\d+) +\S/).compactMap { Int32($0.1) }
            #expect(named == ExitCode.allCases.map(\.rawValue))
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }

        @Test func `fits on a screen, with the commands first`() throws {
            let lines = try Self.help([], of: "countersign")
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            // The prompt of the shell also needs a line.
            #expect(lines.count < 24)
            #expect(lines.allSatisfy { $0.count <= 80 })
            #expect(lines[4] == "Commands:")
            let topic = "  countersign help prompts     Show how PINs are read"
            #expect(lines.contains { $0.hasPrefix(topic) })
        }

        @Test(arguments: programs)
        func `has completions that each shell loads`(_ program: String) throws {
            let path = URL(filePath: BuiltProducts.path(of: program)).deletingLastPathComponent()
                .path
            // Each script prints the program or a completion if the shell loaded it.
            let scripts = [
                "bash": "source <(\(program) completion bash) && complete -p \(program)",
                "zsh": """
                autoload -U compinit && compinit -u -D && source <(\(program) completion zsh) &&
                    print -r -- $_comps[\(program)]
                """,
                "fish": "\(program) completion fish | source; complete -C '\(program) doc'",
            ]
            let home = try TemporaryFolder()
            for (shell, script) in scripts {
                let run = try FinishedProcess.run(
                    shell,
                    ["-c", script],
                    environment: [
                        "HOME": home.path, "PATH": "\(path):/usr/bin:/bin",
                        "XDG_DATA_HOME": home.path,
                    ]
                )
                #expect(run.exitCode == 0, "\(shell): \(run.errorOutput)")
                #expect(run.errorOutput == "", "\(shell)")
                let expected = shell == "fish" ? "doctor" : program
                #expect(run.output.contains(expected), "\(shell): \(run.output)")
            }
        }
    }
}
