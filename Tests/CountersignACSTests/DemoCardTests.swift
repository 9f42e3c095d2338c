import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers, .timeLimit(.minutes(5)))
struct `The demonstration of card payments` {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let script = root.appending(path: "Packaging/demo-card").path
    private static let programs = URL(filePath: ACSFolder.program).deletingLastPathComponent().path

    /// The important lines, in their order.
    private static let shown = [
        // The purchase in an app.
        "activated bank/main/4711\n", "Last four digits\t4651\n", "issuer's token: ok\n",
        "transStatus  C\n", "47.11 EUR to CoffeeHouse2\n", "  Amount     47.11 EUR\n",
        "ending 4651\n", "At the shop's clock", "\napproved ", "transStatus           Y\n",
        "eci                   05\n", "transStatus  Y\n",
        #"{"verdict":"amountExceeded","#, #"{"verdict":"valid","approval":"#,
        #"{"verdict":"alreadyUsed","#, "Decision\tapproved with userPIN\n",
        // The purchase in a browser.
        "acsURL       http://localhost:", "12.50 EUR\n", "Cancel the payment\n", "\napproved ",
        "state  over\n", "title  Back to the shop\n", #""transStatus": "Y"}"#, "eci          05\n",
        // The rejected one, the cancelled one, one that expires for the shop, and one with an
        // unknown card.
        "\nrejected ", "transStatus        N\n", "transStatusReason  11\n",
        "transStatus      N\n", "challengeCancel  01\n", "countersign: nothing is waiting",
        "transStatus        U\n", "transStatusReason  22\n", "challengeCancel    06\n",
        "countersign: nothing is waiting",
        "transStatusReason  08\n",
        // The one during which the ACS ends.
        "\n$ kill -9 ", "\napproved ", "\n$ countersign-acs run", "transStatus  Y\n",
        "transStatus  Y\n",
        "\n$ countersign-acs challenge list --all\n", "\n$ countersign-acs audit verify\n",
        "\n$ grep -rlaF ", "\nexit status 1\n",
    ]

    @Test func `shows purchases that are approved, rejected, cancelled, unanswered and continued`()
        throws
    {
        let demo = try FinishedProcess.run(Self.script, [Self.programs])
        #expect(demo.exitCode == 0, "\(demo.errorOutput)")
        var remaining = demo.output[...]
        for text in Self.shown {
            let place = try #require(remaining.range(of: text), "\(text)\n\(demo.output)")
            remaining = remaining[place.upperBound...]
        }
        for number in [IssuerPremises.card, "4000009876543219"] {
            #expect(!(demo.output + demo.errorOutput).contains(number))
        }
    }

    /// The person's browser is `curl`, which reads the pages as they are.
    @Test func `takes a payment of a browser at a terminal, and leaves nothing`() throws {
        let folder = try TemporaryFolder()
        let session = try TerminalSession(
            [Self.script, Self.programs],
            environment: ["TMPDIR": folder.path]
        )
        try session.wait(for: "removes all files.\r\n", typing: "\n")
        let shop = try value(/press the button:\r\n +(http:\S+\/pay)\r\n/, in: session.screen)
        try session.wait(for: "No payment waits")

        #expect(try curl(shop).contains("15.00 EUR"))
        let form = try curl("--data", "", shop)
        #expect(form.contains("Approve the payment at your bank"))
        let page = try post(["creq", "threeDSSessionData"], of: form)
        #expect(page.contains("15.00 EUR"))
        try session.type("\n")
        try session.wait(for: "approved ")
        try session.wait(for: "\tY\t")
        let address = try value(/(http:\S+\/3ds\/page\/[A-Za-z0-9_-]+)$/, in: page)
        #expect(try curl(address + "/state?wait=25").contains("over"))
        let notified = try post(["cres"], of: curl(address))
        #expect(notified.contains("Thank you for your order"))

        // Ctrl-C of the terminal.
        try session.type("\u{3}")
        #expect(try session.end() == 0, "\(session.screen)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `is what make runs`() throws {
        let plan = try FinishedProcess.run("make", ["-n", "-C", Self.root.path, "demo-card"])
        #expect(plan.exitCode == 0, "\(plan.errorOutput)")
        #expect(plan.output.contains("\nPackaging/reference-checkers\n"))
        #expect(plan.output.contains("\nPackaging/demo-card \(Self.root.path)/.build/debug"))
    }

    /// Posts a form as a browser does, and returns the page at the end and its address.
    private func post(_ names: [String], of page: String) throws -> String {
        let fields = try names.flatMap { name in
            let field = try Regex(
                "name=\"\(name)\" value=\"([^\"]+)\"",
                as: (Substring, Substring).self
            )
            return ["--data", "\(name)=\(try value(field, in: page))"]
        }
        let words = fields + ["--location", "--write-out", "%{url_effective}"]
        return try curl(words + [value(/action="([^"]+)"/, in: page)])
    }

    private func value(_ pattern: Regex<(Substring, Substring)>, in text: String) throws -> String {
        String(try #require(text.firstMatch(of: pattern), "\(text)").1)
    }

    private func curl(_ words: String...) throws -> String { try curl(words) }

    private func curl(_ words: [String]) throws -> String {
        let run = try FinishedProcess.run("curl", ["--silent", "--show-error"] + words)
        try #require(run.exitCode == 0, "\(words): \(run.errorOutput)")
        return run.output
    }
}
