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

        /// Each page below the command that shows it.
        private static func written(of program: String) throws -> [String] {
            let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "help-\(program).txt"
            )
            return try String(contentsOf: path, encoding: .utf8).split(separator: "$ ")
                .map(String.init)
        }

        @Test(arguments: programs)
        func `is word for word what is written down, for every command`(_ program: String) throws {
            let list = try Self.help([], of: program)
            let commands = list.matches(of: /(?m)^  ([a-z][a-z -]*?)  +[A-Z]/).map { String($0.1) }
            #expect(commands.count > 15)
            let pages = try ([""] + commands.map { $0 + " " }).map { words in
                let page = try Self.help(words.split(separator: " ").map(String.init), of: program)
                return "\(program) \(words)--help\n\(page)\n"
            }
            let written = try Self.written(of: program)
            for (page, written) in zip(pages, written) { #expect(page == written) }
            #expect(pages.count == written.count)
        }

        @Test(arguments: programs)
        func `names every exit code, and no other`(_ program: String) throws {
            let help = try Self.help([], of: program)
            let table = try #require(help.firstMatch(of: /(?s)\nExit codes:\n(.*?)\n\n/)).1
            let named = table.matches(of: /(?m)^    (\d+) +\S/).compactMap { Int32($0.1) }
            #expect(named == ExitCode.allCases.map(\.rawValue))
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }

        @Test(arguments: programs)
        func `is beside completions that each shell takes`(_ program: String) throws {
            let path = URL(filePath: BuiltProducts.path(of: program)).deletingLastPathComponent()
                .path
            // What each then offers, or has taken, for the beginning of a command.
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
                let answer = shell == "fish" ? "doctor" : program
                #expect(run.output.contains(answer), "\(shell): \(run.output)")
            }
        }
    }
}
