import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import CommandLineTool

extension `The built program` {
    @Suite struct `Help` {
        typealias Edition = HelpEdition

        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

        private static let english = Edition(
            "countersign",
            pages: folder.appending(path: "help-countersign.txt")
        )
        private static let german = Edition(
            "countersign",
            locale: "de_DE.UTF-8",
            pages: folder.appending(path: "help-countersign-german.txt")
        )
        private static let verifier = Edition(
            "countersignd",
            pages: folder.appending(path: "help-countersignd.txt")
        )

        /// The verifier has one language.
        private static let verifierInGermany = Edition(
            "countersignd",
            locale: "de_DE.UTF-8",
            pages: folder.appending(path: "help-countersignd.txt")
        )

        @Test(arguments: [english, german, verifier, verifierInGermany])
        func `equals the expected text of every command`(_ edition: Edition) throws {
            #expect(try edition.commands().count > 15)
            try edition.expectWrittenPages()
        }

        /// To update the page: `LC_ALL=C PROGRAM manual --markdown >docs/reference/PROGRAM.md`.
        @Test(arguments: [english, verifier])
        func `equals the reference page in docs`(_ edition: Edition) throws {
            try edition.expectReferencePage()
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
            try edition.expectManualPage()
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

        @Test func `has completions for its topics`() throws {
            let words = ["completion", "fish", "--", "help", "ex"]
            let line = "exit-codes\tShow the meaning of the exit codes.\n"
            #expect(try Self.english.run(words) == line)
            #expect(try Self.english.run(["completion", "bash", "--", "ex"]) == "")
            #expect(
                try Self.english.run(["completion", "bash", "--", "help", "approve", ""]) == ""
            )
        }

        @Test func `of login offers no method that a login refuses`() throws {
            let words = ["completion", "bash", "--", "login", "--with", ""]
            #expect(try Self.english.run(words) == "pin\nbiometric\n")
            #expect(try Self.english.help(["login"]).contains("--with pin|biometric]"))
        }

        @Test(arguments: [english, verifier])
        func `has completions that each shell loads`(_ edition: Edition) throws {
            try edition.expectCompletions(of: "doctor")
        }
    }
}
