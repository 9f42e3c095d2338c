import Testing

@Suite struct `Texts for a person` {
    /// Sentences that a failure, a prompt or a line of output has in one language only.
    private static func untranslated(in text: String) -> [String] {
        let sentence =
            /(?:print\(|CommandFailure\(\s*\.\w+,\s*|hint:\s*|suggesting\()"([^"\n]*[a-z] [a-z][^"\n]*)"/
        return text.matches(of: sentence).map { String($0.1) }.filter { text in
            // Spaces begin a line of data; commands and options are the same in all languages.
            !text.hasPrefix(" ") && !text.hasPrefix("countersign ") && !text.hasPrefix("--")
        }
    }

    /// Help texts that are in one language only.
    ///
    /// A literal must follow `localized(`, however short it is.
    private static func untranslatedHelp(in text: String) -> [String] {
        let declared =
            /static (?:let|var) (?:summary|discussion|expectation)\b[^\n]*=\s*"+\s*([A-Za-z\\][^"\n]*)/
        let computed =
            /static var (?:summary|discussion|expectation): String \{\s*(?:return )?"+\s*([A-Za-z\\][^"\n]*)/
        let given = /\b(?:help|summary|heading|discussion|text):\s*"+\s*([A-Za-z\\][^"\n]*)/
        let matches = text.matches(of: declared) + text.matches(of: computed)
        return (matches + text.matches(of: given)).map { String($0.1) }
    }

    @Test func `are localized in the program and in its command line library`() throws {
        for target in ["countersign", "CommandLineTool"] {
            for file in try Repository.files(of: target) where file.hasSuffix(".swift") {
                let text = try Repository.text(of: "Sources/\(target)/\(file)")
                #expect(Self.untranslated(in: text) == [], "\(target)/\(file)")
                #expect(Self.untranslatedHelp(in: text) == [], "\(target)/\(file)")
            }
        }
    }

    @Test(arguments: [
        #"throw CommandFailure(.usage, "no such thing")"#,
        #"CommandFailure(\n    .usage,\n    "no such thing",\n    hint: nil)"#,
        #".suggesting("try it again")"#, #"try output.print("it is done")"#,
    ])
    func `are found if they are in one language only`(_ source: String) {
        #expect(Self.untranslated(in: source.replacing(#"\n"#, with: "\n")).count == 1)
    }

    @Test(arguments: [
        #"static let summary = "Show the accounts.""#,
        #"static var summary: String { "Show the accounts." }"#,
        #"static let discussion = """\n    Shows the accounts."#,
        #"static var discussion: String {\n    """\n    Shows the accounts."#,
        #"static let expectation = "a date""#, #"@Flag("yes", help: "Confirm.")"#,
        #"@Option("date", short: "d",\n    help: "The date of the page.")"#,
        #"HelpTopic(name: "prompts", summary: "Show prompts.")"#,
        #"HelpTopic(name: "prompts",\n    text: """\n    Commands prompt."#,
        #".init(heading: "Options", rows: rows)"#,
    ])
    func `of the help are found if they are in one language only`(_ source: String) {
        let text = source.replacing(#"\n"#, with: "\n")
        #expect(Self.untranslatedHelp(in: text).count == 1)
    }

    @Test(arguments: [
        #"static var summary: String { localized("Show it.", german: "Zeigt es.") }"#,
        #"@Flag("json", help: localized("Print JSON.", german: "Gibt JSON aus."))"#,
        #"package static var discussion: String { "" }"#, #"var discussion = """#,
    ])
    func `of the help may be in two languages`(_ source: String) {
        #expect(Self.untranslatedHelp(in: source) == [])
    }
}
