import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `German texts` {
        private let person: Person

        init() throws {
            person = try Person()
        }

        private static let german = ["LC_ALL": "de_DE.UTF-8"]

        private func onTerminal(_ words: String...) throws -> TerminalSession {
            try person.onTerminal(words, environment: Self.german)
        }

        private func run(_ words: String..., typing lines: String...) throws -> FinishedProcess {
            try person.countersign(words, typing: lines, environment: Self.german)
        }

        @Test func `lead from the activation to an approval`() throws {
            let beginning = try run().output
            #expect(beginning.hasPrefix("Auf diesem Rechner ist noch kein Zugang eingerichtet.\n"))
            let (id, code) = try person.newActivation()
            let account = "bank/main/\(person.account)"
            let activation = try onTerminal("activate", id)
            try activation.wait(for: "Der Server der Bank ist \(person.bank.origin).\r\n")
            try activation.wait(for: "Geben Sie den Code nur ein, wenn Ihre Bank")
            try activation.wait(for: "Aktivierungscode: ", typing: "WRONG\n")
            try activation.wait(for: "Der Aktivierungscode enthält einen Tippfehler. Versuchen Sie")
            try activation.wait(for: "Aktivierungscode: ", typing: code + "\n")
            try activation.wait(for: "diesen Zugang für Sie eingerichtet: \(account).\r\n")
            try activation.wait(for: "Wählen Sie eine PIN mit 6 bis 12 Ziffern. Wiederholungen")
            try activation.wait(for: "neue PIN: ", typing: "123456\n")
            try activation.wait(for: "Die Ziffern der PIN sind eine Folge. Versuchen Sie")
            try activation.wait(for: "neue PIN: ", typing: Person.pin + "\n")
            try activation.wait(for: "neue PIN, noch einmal: ", typing: Person.pin + "\n")
            try activation.wait(for: "eingerichtet: \(account)\r\n")
            #expect(try activation.end() == 0)

            let transaction = try person.newPayment()
            let approval = try onTerminal("approve")
            for label in ["Betrag", "An ", "Art", "Zugang", "Referenz", "Restzeit"] {
                try approval.wait(for: "  \(label)")
            }
            try approval.wait(for: "Weitere Angaben der Bank:")
            try approval.wait(for: "Freigeben: 47.11 EUR an DE89 3704 0044 0532 0130 00 (Grocer)?")
            try approval.wait(for: " (ja/nein) ", typing: "yes\n")
            try approval.wait(for: " (ja/nein) ", typing: "j\n")
            try approval.wait(for: "PIN: ", typing: "271906\n")
            try approval.wait(for: "Die PIN ist falsch. Es bleiben 4 Versuche. Versuchen Sie")
            try approval.wait(for: "PIN: ", typing: Person.pin + "\n")
            try approval.wait(for: "freigegeben: \(transaction): Transfer\r\n")
            #expect(try approval.end() == 0)
            #expect(try person.state(of: transaction) == "approved")
        }

        @Test func `have words of their own for each decision in watch`() throws {
            let person = try Person.activated()
            let session = try person.onTerminal("watch", environment: Self.german)
            try session.wait(for: "Warten auf Aufträge. Strg-C beendet.\r\n")
            let first = try person.newPayment()
            try session.wait(
                for: "j = freigeben, n = ablehnen, s = später entscheiden, b = beenden"
            )
            // An English word that could be mistaken decides nothing.
            try session.wait(for: "Ihre Entscheidung (noch ", typing: "y\n")
            try session.wait(for: "Geben Sie j, n, s oder b ein")
            try session.wait(for: "Ihre Entscheidung (noch ", typing: "n\n")
            try session.wait(for: "abgelehnt: \(first): Transfer\r\n")
            let second = try person.newPayment()
            try session.wait(for: "Ihre Entscheidung (noch ", typing: "spä\n")
            try session.wait(for: "countersign reject \(second)\r\n")
            try session.wait(for: "Warten auf Aufträge.", typing: "\u{3}")
            #expect(try session.end() == 130)
        }

        @Test func `are without English causes, and in the right case and number`() throws {
            let person = try Person.activated()
            let german = Self.german
            let removal = try person.countersign(["remove", "x", "--yes"], environment: german)
            let expectation = "verlangt einen Zugang, wie countersign accounts ihn zeigt, oder den"
            #expect(removal.errorOutput.contains(expectation), "\(removal.errorOutput)")
            let payee = #"{"name":"Grocer","account":"DE89370400440532013000"}"#
            let payees = Array(repeating: payee, count: 4).joined(separator: ",")
            _ = try person.request(
                #"{"context":"payment","title":"Salaries","payees":[\#(payees)],"#
                    + #""amounts":[{"currency":"EUR","minorUnits":4711}]}"#
            )
            let overview = try person.countersign([], environment: german)
            #expect(overview.output.contains("; weitere: 1 ("), "\(overview.output)")
            let full = try person.run(
                "sh",
                ["-c", "LC_ALL=de_DE.UTF-8 \(BuiltProducts.path(of: "countersign")) >/dev/full"]
            )
            let event = "countersign: in die Standardausgabe lässt sich nicht schreiben: "
            #expect(full.errorOutput.hasPrefix(event), "\(full.errorOutput)")
        }

        @Test func `name failures, and leave names for programs as they are`() throws {
            let person = try Person.activated()
            let german = Self.german
            func run(_ words: String..., typing lines: [String] = []) throws -> FinishedProcess {
                try person.countersign(words, typing: lines, environment: german)
            }
            let wrong = try run("login", "--pin-fd", "0", typing: ["271906"])
            #expect(wrong.exitCode == 1)
            #expect(
                wrong.errorOutput == """
                    countersign: die PIN ist falsch (noch 4 Versuche)
                    Hinweis: prüfen Sie die PIN, und versuchen Sie es erneut

                    """
            )
            let mistyped = try run("aprove")
            #expect(mistyped.exitCode == 64)
            #expect(
                mistyped.errorOutput
                    == "countersign: unbekannter Befehl aprove\nHinweis: meinten Sie approve?\n"
            )
            #expect(try run("pending").errorOutput.hasPrefix("countersign: Es wartet nichts auf"))
            let id = try person.newPayment()
            let rejected = try run("reject", id, "--json")
            #expect(rejected.output.contains(#""state":"rejected""#))
            // LC_ALL comes before LANG.
            let english = try person.countersign(
                ["pending"],
                environment: ["LC_ALL": "C", "LANG": "de_DE.UTF-8"]
            )
            #expect(english.errorOutput.hasPrefix("countersign: nothing is waiting for"))
        }
    }
}
