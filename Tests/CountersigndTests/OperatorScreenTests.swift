import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

/// The output on a terminal, compared with that for a program.
@Suite struct `The operator's terminal` {
    private let premises: Premises

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
    }

    private func screen(_ words: String...) throws -> String {
        let program = BuiltProducts.path(of: "countersignd")
        let session = try TerminalSession([program] + words + ["--config", premises.configuration])
        #expect(try session.end() == 0, "\(session.screen)")
        return session.screen.replacing("\r\n", with: "\n")
    }

    @Test func `the QR code of an activation can be scanned`() throws {
        let screen = try screen("activation", "create", account)
        #expect(screen.hasPrefix("countersignd: in the store \(premises.store)\n"))
        let uri = try #require(screen.firstMatch(of: /Address +(\S+)\n/)).1
        let picture = screen.split(separator: "\n").filter { $0.contains(/[█▀▄]/) }
        #expect(try QRReader.text(of: picture.joined(separator: "\n"), "text") == uri)
        let code = try #require(screen.firstMatch(of: /Code +(\S+)\n/)).1
        #expect(!uri.contains(code.replacing("-", with: "")))

        let id = String(try #require(screen.firstMatch(of: /Activation +(\S+)\n/)).1)
        let svg = try premises.countersignd("activation", "qr", account, id, "--svg")
        #expect(try QRReader.text(of: svg.output, "svg") == uri)
        let blocks = try premises.countersignd("activation", "qr", account, id)
        #expect(try QRReader.text(of: blocks.output, "text") == uri)
        // A pipe gets no QR code.
        let piped = try premises.countersignd("activation", "create", account)
        #expect(!piped.output.contains("█"))
        #expect(piped.output.hasPrefix("Activation\t"))
    }

    @Test func `tables have bold headings and aligned columns`() throws {
        for _ in 0..<2 { _ = try premises.countersignd("activation", "create", account) }
        let lines = try screen("activation", "list", account).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(
            lines[1].wholeMatch(
                of: /\u{1B}\[1mACTIVATION  STATE +CREATED +VALID UNTIL +ENDED\u{1B}\[0m/
            ) != nil
        )
        #expect(lines[2].wholeMatch(of: /\w{10}  open     2.*UTC  2.*UTC\s*/) != nil)
        #expect(lines[3].wholeMatch(of: /\w{10}  revoked  2.*UTC  2.*UTC  2.*UTC/) != nil)
        let piped = try premises.countersignd("activation", "list", account)
        #expect(piped.errorOutput == "")
        #expect(piped.output.split(separator: "\n").map { $0.count { $0 == "\t" } } == [4, 4])
    }

    /// A permanent command, its question, and an SQL query that returns 1 after it.
    private static let permanent = [
        (
            ["account", "replace", account, "bank/main/4712"], "permanently? [y/N] ",
            "SELECT count(*) FROM accounts WHERE replaced_by_id = '4712'"
        ),
        (
            ["token", "revoke", "core"],
            "Revoke the token core permanently? Programs that use it lose their access. [y/N] ",
            "SELECT count(*) FROM bank_tokens WHERE revoked IS NOT NULL"
        ),
        (
            ["rotate", "--remove-old-keys"],
            "Remove the old keys permanently? Backups from before the rotation need them. [y/N] ",
            "SELECT count(*) FROM verifier WHERE minimum_key_version = 2"
        ),
    ]

    @Test(arguments: permanent)
    func `permanent changes need a confirmation`(
        _ words: [String],
        _ question: String,
        _ query: String
    ) throws {
        let program = BuiltProducts.path(of: "countersignd")
        _ = try premises.countersignd("account", "add", "bank/main/4712")
        _ = try premises.countersignd("token", "create", "core", "issuer", "--all")
        _ = try premises.countersignd("rotate", "--add-key")
        let command = [program] + words + ["--config", premises.configuration]
        #expect(try premises.countersignd(words).exitCode == 64, "no terminal")
        for (input, exitCode, state) in [("n", 1, "0"), ("yes", 0, "1")] as [(_, Int32, _)] {
            let session = try TerminalSession(command)
            try session.wait(for: question, typing: input + "\n")
            #expect(try session.end() == exitCode)
            #expect(try premises.sqlite3(query) == state)
        }
    }

    @Test func `every command has help`() throws {
        let program = BuiltProducts.path(of: "countersignd")
        let list = try FinishedProcess.run(program, ["help"]).output
        let names = list.matches(of: /(?m)^  ([a-z][a-z ]+?)  +[A-Z]/).map { String($0.1) }
        #expect(names.count > 35)
        for name in names {
            let words = name.split(separator: " ").map(String.init)
            let page = try FinishedProcess.run(program, words + ["--help"])
            #expect(page.exitCode == 0, "\(name)")
            #expect(page.output.contains("Usage: countersignd \(name)"))
        }
    }
}
