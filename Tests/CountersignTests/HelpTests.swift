import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import CommandLineTool

extension `The built program` {
    @Suite struct `Help` {
        private static let programs = ["countersign", "countersignd"]

        /// A program in a locale, and the file of its expected pages.
        struct Edition: CustomTestStringConvertible {
            let program: String
            var locale = "C"
            let file: String

            var testDescription: String { "\(program), \(locale)" }

            func run(_ words: [String]) throws -> String {
                let run = try FinishedProcess.run(
                    BuiltProducts.path(of: program),
                    words,
                    environment: ["LC_ALL": locale]
                )
                #expect(run.exitCode == 0)
                return run.output
            }

            func help(_ words: [String]) throws -> String { try run(words + ["--help"]) }

            /// The expected pages, each after its command.
            func written() throws -> [String] {
                let path = URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "\(file).txt")
                return try String(contentsOf: path, encoding: .utf8).split(separator: "$ ")
                    .map(String.init)
            }
        }

        private static let english = Edition(program: "countersign", file: "help-countersign")
        private static let german = Edition(
            program: "countersign",
            locale: "de_DE.UTF-8",
            file: "help-countersign-german"
        )
        private static let verifier = Edition(program: "countersignd", file: "help-countersignd")

        /// The verifier has one language.
        private static let verifierInGermany = Edition(
            program: "countersignd",
            locale: "de_DE.UTF-8",
            file: "help-countersignd"
        )

        @Test(arguments: [english, german, verifier, verifierInGermany])
        func `equals the expected text of every command`(_ edition: Edition) throws {
            let list = try edition.help([])
            let described = list.matches(of: /(?m)^  ([a-z][a-z -]*?)  +\p{Lu}/)
                .map { String($0.1) }.filter { !$0.hasPrefix(edition.program) }
            let named = list.firstMatch(of: /\n(?:Also|Weitere): (.*)/)?.1.split(separator: ", ")
            let commands = described + (named.map { $0.map(String.init) + ["help"] } ?? [])
            #expect(commands.count > 15)
            let pages = try ([""] + commands.map { $0 + " " }).map { words in
                let page = try edition.help(words.split(separator: " ").map(String.init))
                return "\(edition.program) \(words)--help\n\(page)\n"
            }
            let written = try edition.written()
            for (page, written) in zip(pages, written) { #expect(page == written) }
            #expect(pages.count == written.count)
        }

        /// To update the page: `LC_ALL=C PROGRAM manual --markdown >docs/reference/PROGRAM.md`.
        @Test(arguments: [english, verifier])
        func `equals the reference page in docs`(_ edition: Edition) throws {
            let page = URL(filePath: #filePath)
                .appending(path: "../../../docs/reference/\(edition.program).md").standardized
            let manual = try edition.run(["manual", "--markdown"])
            #expect(try String(contentsOf: page, encoding: .utf8) == manual)
        }

        @Test(arguments: [english, german, verifier])
        func `lists exactly the exit codes`(_ edition: Edition) throws {
            let help = try edition.help(edition.program == "countersign" ? ["exit-codes"] : [])
            let heading = /(?s)\n(?:Exit codes|Rückgabewerte):\n(.*?)(\n\n|$)/
            let table = try #require(help.firstMatch(of: heading)).1
            let named = table.matches(of: /(?m)^    (\d+) +\S/).compactMap { Int32($0.1) }
            #expect(named == ExitCode.allCases.map(\.rawValue))
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }

        @Test(arguments: [english, german])
        func `has at most 80 columns`(_ edition: Edition) throws {
            for page in try edition.written() {
                #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(page)")
            }
            let prompts = try edition.help(["prompts"])
            #expect(prompts.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }

        @Test(arguments: [english, german])
        func `fits on a screen, with the commands first`(_ edition: Edition) throws {
            let lines = try edition.help([])
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            // The prompt of the shell also needs a line.
            #expect(lines.count < 24)
            #expect(lines.allSatisfy { $0.count <= 80 })
            #expect(["Commands:", "Befehle:"].contains(lines[4]))
            let topic =
                /\s+countersign help prompts     (Show how PINs are read|Erklärt Eingabe der)/
            #expect(lines.contains { $0.prefixMatch(of: topic) != nil })
        }

        @Test func `is in German for topics and for commands in all their forms`() throws {
            let edition = Self.german
            let page = try edition.help(["approve"])
            #expect(page.contains("Zeigt einen Auftrag und gibt ihn nach Ihrer Bestätigung frei."))
            #expect(try edition.run(["help", "approve"]) == page)
            let prompts = try edition.run(["help", "prompts"])
            let languages = "Hilfe, Fragen, Meldungen und Ergebnisse sind deutsch, wenn LC_ALL"
            #expect(prompts.contains(languages))
            let english = try Self.english.run(["help", "prompts"])
            #expect(english.contains("Help, prompts, messages and results are in German if"))
        }

        @Test(arguments: [english, german])
        func `is a manual page without warnings`(_ edition: Edition) throws {
            let folder = try TemporaryFolder()
            let page = try edition.run(["manual", "--date", "2026-11-22"])
            let path = try folder.write(page, to: "countersign.1")
            let mandoc = try FinishedProcess.run("mandoc", ["-Tlint", "-Wall", path])
            #expect(mandoc.output + mandoc.errorOutput == "")
            let groff = try FinishedProcess.run("groff", ["-man", "-Tutf8", "-ww", "-z", path])
            #expect(groff.output + groff.errorOutput == "")
        }

        @Test func `is a German manual page with German headings`() throws {
            let folder = try TemporaryFolder()
            let edition = Self.german
            let page = try edition.run(["manual", "--date", "2026-11-22"])
            let path = try folder.write(page, to: "countersign.1")
            let shown = try FinishedProcess.run("mandoc", ["-Tutf8", path]).output
                .replacing(/.\u{8}/, with: "")
            let headings = shown.matches(of: /(?m)^(\p{Lu}[\p{Lu} ]+)$/).map { String($0.1) }
            #expect(headings == ["NAME", "ÜBERSICHT", "BESCHREIBUNG", "BEFEHLE", "SIEHE AUCH"])
            #expect(
                shown.contains("countersign - gibt Aufträge Ihrer Bank mit Codes frei, die nur")
            )
            let markdown = try edition.run(["manual", "--markdown"])
            #expect(markdown.contains("\n## Befehle\n"))
            #expect(markdown.contains("\nDiese Seite stammt von `countersign manual --markdown`."))
        }

        @Test func `explains completions in the language at the time of the completion`() throws {
            let words = ["completion", "fish", "--", "doc"]
            #expect(
                try Self.english.run(words) == "doctor\tCheck this machine, and suggest repairs.\n"
            )
            #expect(
                try Self.german.run(words)
                    == "doctor\tPrüft diesen Rechner und schlägt Abhilfe vor.\n"
            )
            let script = try Self.german.run(["completion", "zsh"])
            #expect(
                script.contains(
                    """
                    # Ergänzung von countersign in zsh. Laden Sie sie mit dieser Zeile in ~/.zshrc, \
                    nach compinit:

                    """
                )
            )
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
