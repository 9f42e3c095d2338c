import Testing

@Suite struct `Texts for a person` {
    /// Files whose texts are for developers.
    private static let exempt: Set = ["Commands/SelfTestCommand.swift"]

    /// Sentences that a failure, a prompt or a line of output has in one language only.
    private static func untranslated(in text: String) -> [String] {
        let sentence =
            /(?:print\(|CommandFailure\(\s*\.\w+,\s*|hint:\s*|suggesting\()"([^"\n]*[a-z] [a-z][^"\n]*)"/
        return text.matches(of: sentence).map { String($0.1) }.filter { text in
            // Spaces begin a line of data; commands and options are the same in all languages.
            !text.hasPrefix(" ") && !text.hasPrefix("countersign ") && !text.hasPrefix("--")
        }
    }

    @Test func `are localized in the program and in its command line library`() throws {
        for target in ["countersign", "CommandLineTool"] {
            for file in try Repository.files(of: target) where file.hasSuffix(".swift") {
                guard !Self.exempt.contains(file) else { continue }
                let text = try Repository.text(of: "Sources/\(target)/\(file)")
                #expect(Self.untranslated(in: text) == [], "\(target)/\(file)")
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
}
