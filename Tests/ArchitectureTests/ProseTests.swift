import Foundation
import ProseCheck
import Testing

/// The rules of plain English are a ratchet: each area may break them as often as the budget says,
/// and the budget only goes down.
@Suite struct `Plain English` {
    private static let repository = ProseRepository(root: Repository.root)

    @Test func `no area has more breaches than its budget, and no budget is too high`() throws {
        let budget = ProseBudget(text: try Repository.text(of: ProseBudget.path))
        let hits = try Self.repository.hits()
        #expect(hits.count > 30)
        #expect(budget.objections(to: hits.mapValues { .init($0) }) == [])
    }

    private func findings(_ text: String, in file: String = "page.md") -> [Finding] {
        ProseRepository.passages(in: text, of: file).flatMap(PlainEnglish.findings)
    }

    @Test(arguments: [
        "A code that nobody used.", "Whoever has the key can sign.", "It is made anew.",
        "The server tells the client.", "The device is told later.", "The row says which one.",
        "This is no error.", "The store has no more rows.", "What is sent is signed.",
        "Where it fails, the client retries.", "Of what was sent nothing is kept.",
        "A client beside the server.", "The least counter wins.", "He types the PIN.",
        "A connection without patience.", "A standing of the device.", "The number stands there.",
        "It is kept by what was sent.", "Who has the key can sign.", "Device and server talk.",
        "The type cannot say so.", "The device learns the key.", "The server answers with 404.",
        "The answer is signed.", "The key cannot be used any longer.",
    ])
    func `a breach of a rule is found`(_ sentence: String) {
        #expect(findings(sentence).map(\.kind) == [.wording], "\(findings(sentence))")
    }

    @Test(arguments: [
        "The code was not used.", "A client that has the key can sign.", "There is no row.",
        "This is no longer valid.", "At least one node is ready.", "What does the device sign?",
        "It is not any longer than 2 s.",
        "The `tells` member.", "It takes no more than 2 s.", "A long-standing bug.",
        "A person answers the question.", "An unanswered request.",
        "The server sends a report. It retries at most three times.",
    ])
    func `plain sentences pass`(_ sentence: String) {
        #expect(findings(sentence).isEmpty, "\(findings(sentence))")
    }

    @Test func `the German beside an English text is not read`() {
        func count(_ german: String) -> Int {
            findings(#"f("Nobody is here", \#(german), or: "No more of it")"#, in: "T.swift").count
        }
        #expect(count(#"german: "Nobody is here""#) == count(#"german: "Hier ist keiner""#))
        #expect(count(#"english: "Nobody is here""#) > count(#"german: "Nobody is here""#))
    }

    @Test func `a sentence of 26 words is too long, and one of 25 is not`() {
        let words = Array(repeating: "word", count: PlainEnglish.maximumWords)
        #expect(findings(words.joined(separator: " ") + ". More words.").isEmpty)
        let longer = findings((words + ["more"]).joined(separator: "\n") + ".")
        #expect(longer.map(\.kind) == [.longSentence])
    }

    @Test func `a row of a table is a passage of its own`() {
        let words = Array(repeating: "word", count: PlainEnglish.maximumWords - 1)
        let rows = ["0", "64"].map { "\($0)  \(words.joined(separator: " "))" }
        let text = "let help = \"\"\"\n\(rows.joined(separator: "\n"))\n\"\"\""
        #expect(findings(text, in: "page.swift").isEmpty)
    }

    @Test(arguments: [
        ("page.swift", "// A comment.\n// It tells more."),
        ("page.swift", "///\n/// - It tells more."),
        ("page.swift", "let a = 1\nlet text = \"the server tells \\(a) more\""),
        ("page.swift", "let a = 1\nfunc `a server tells more`() {}"),
        ("page.swift", "let text = \"\"\"\n    It tells more.\n    \"\"\""),
        ("page.swift", "/*\n It tells more. */"),
        ("page.md", "| a | b |\n| c | it tells more |"),
        ("page.md", "# A heading\n* It tells more."),
        ("page.json", "{\n\"description\": \"It tells more.\","),
        ("script", "#!/bin/sh\n# It tells more."),
        ("Makefile", "a:\nb: ## It tells more"),
        ("script", "#!/bin/sh\nsay \"It tells even more.\""),
    ])
    func `prose of every kind is read, with its line`(_ file: String, _ text: String) throws {
        let found = findings(text, in: file)
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.quote == "tells")
        #expect(finding.line == 2)
    }

    @Test(arguments: [
        ("page.swift", "let tells = nobody(anew)"), ("page.swift", "let word = \"tells\""),
        ("page.swift", "let sql = \"SELECT tells FROM stands\""),
        ("page.md", "```\nit tells more\n```"), ("page.md", "Text.\n\n    it tells more"),
        ("page.json", "{\"tells\": \"nobody\"}"),
    ])
    func `code is not read as prose`(_ file: String, _ text: String) {
        #expect(findings(text, in: file).isEmpty)
    }

    @Test func `a count above its budget, and a budget far above its count, are objections`() {
        let budget = ProseBudget(["Sources/A": .init(wordings: 20, longSentences: 3)])
        func objections(_ wordings: Int, _ long: Int, in area: String = "Sources/A") -> Int {
            let counts = [area: ProseBudget.Allowance(wordings: wordings, longSentences: long)]
            return budget.objections(to: counts).count
        }
        #expect(objections(20, 3) == 0)
        #expect(objections(10, 0) == 0)
        #expect(objections(21, 3) == 1)
        #expect(objections(21, 4) == 2)
        #expect(objections(9, 0) == 1)
        // The other area has no row, and this one is no longer there.
        #expect(objections(1, 0, in: "Sources/B") == 2)
    }

    @Test func `the budget is lowered and never raised`() {
        let budget = ProseBudget(["Sources/A": .init(wordings: 20, longSentences: 3)])
        let lowered = budget.lowered(to: ["Sources/A": .init(wordings: 5, longSentences: 9)])
        #expect(lowered == ProseBudget(["Sources/A": .init(wordings: 5, longSentences: 3)]))
        #expect(ProseBudget(text: lowered.text) == lowered)
    }
}
