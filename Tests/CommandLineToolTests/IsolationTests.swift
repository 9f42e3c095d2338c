import PrivateFiles
import Testing

@testable import CommandLineTool

/// Right-to-left letters move numbers and punctuation around them, unless they are isolated (UAX 9).
@Suite struct `A text in a line with other text` {
    private static let hebrew = "\u{5D0}\u{5D1}\u{5D2}"
    private static let isolated = "\u{2068}\(hebrew)\u{2069}"

    @Test(arguments: [
        "", "Grocer", "Müller & Söhne", "東京", "1234 5678", "CoffeeHouse2 (Dæmø)", "ไทย", "नमस्ते",
    ])
    func `does not change without right-to-left letters`(_ text: String) {
        #expect(text.isolated == text)
    }

    @Test(arguments: [
        hebrew, "A \(hebrew) 12", "\u{627}\u{644}", "\u{710}", "\u{780}", "\u{7CA}", "\u{8A0}",
        "\u{FB4F}", "\u{FEFC}", "\u{10A00}", "\u{1E900}",
    ])
    func `is isolated with right-to-left letters`(_ text: String) {
        let scalars = Array(text.isolated.unicodeScalars)
        #expect(scalars == ["\u{2068}"] + Array(text.unicodeScalars) + ["\u{2069}"])
    }

    @Test func `cannot end its isolate`() {
        let text = "\(Self.hebrew)\u{2069}1"
        #expect(text.isolated == "\u{2068}\(Self.hebrew)\\u{2069}1\u{2069}")
    }

    private func printed(
        _ text: String,
        columns: Int? = nil
    ) throws -> String {
        let printed = LockedValue("")
        try Output(isScreen: true, columns: columns, isWrapped: true) { piece in
            printed.withLock { $0 += piece }
        }.print(text)
        return printed.withLock { $0 }
    }

    @Test func `has isolates only on the lines with right-to-left letters`() throws {
        let text = "Invoice 2024 for office furniture from \(Self.hebrew)".isolated
        let lines = try printed(text + ", 1234", columns: 24).split(separator: "\n")
        #expect(lines.count > 2)
        for line in lines {
            let isIsolated = line.unicodeScalars.contains("\u{2068}")
            #expect(isIsolated == line.contains(Self.hebrew), "\(line)")
            #expect(!line.contains(#"\u"#), "\(line)")
        }
    }

    @Test func `is printed with its isolates`() throws {
        let line = "\(Self.isolated), 1234 5678; \(Self.isolated)\n\(Self.isolated)"
        #expect(try printed(line) == line + "\n")
    }

    @Test(arguments: [
        ("\u{2068}a", #"\u{2068}a"#), ("a\u{2069}", #"a\u{2069}"#),
        ("\u{2069}\u{2068}", #"\u{2069}\u{2068}"#), ("\u{2068}\n\u{2069}", "\\u{2068}\n\\u{2069}"),
        ("\u{2068}a\u{2069}", #"\u{2068}a\u{2069}"#),
        ("\u{2068}\(isolated)", "\\u{2068}\(isolated)"),
        ("\u{2068}\n\(isolated)", "\\u{2068}\n\(isolated)"),
        ("\u{2068}\u{202E}\u{5D0}\u{2069}", "\u{2068}\\u{202E}\u{5D0}\u{2069}"),
        ("\u{2067}a\u{2069}", #"\u{2067}a\u{2069}"#),
    ])
    func `is printed with escapes instead of other format characters`(
        _ text: String,
        shown: String
    ) throws {
        #expect(try printed(text) == shown + "\n")
    }

    @Test func `is isolated in each line of a broken message`() throws {
        let text = "Approve 1.00 EUR to \("\(Self.hebrew) \(Self.hebrew)".isolated), 1234?"
        #expect(
            try printed(text, columns: 24) == """
                Approve 1.00 EUR to \u{2068}\(Self.hebrew)\u{2069}
                  \u{2068}\(Self.hebrew)\u{2069}, 1234?

                """
        )
    }

    @Test func `is isolated on a page and in a table on a screen`() throws {
        let output = Output(isScreen: true, columns: 40) { _ in }
        let facts = [Fact(Self.hebrew, "1234 5678"), Fact("Longer", Self.hebrew)]
        #expect(
            output.lines(of: facts, indent: 2) == [
                "  \(Self.isolated)     1234 5678", "  Longer  \(Self.isolated)",
            ]
        )
        let summary = "\("\(Self.hebrew) \(Self.hebrew) \(Self.hebrew)".isolated): EUR"
        let narrow = Output(isScreen: true, columns: 12) { _ in }
        #expect(
            narrow.lines(of: [Fact("ab", summary, isComposed: true)], indent: 0) == [
                "ab  \u{2068}\(Self.hebrew) \(Self.hebrew)\u{2069}",
                "    \u{2068}\(Self.hebrew)\u{2069}: EUR",
            ]
        )
        let table = Table(["TITLE", "LEFT"], [[Self.hebrew, "1 s"], ["Transfer", "2 s"]])
        #expect(
            table.lines(on: output) == [
                "TITLE     LEFT", "\(Self.isolated)       1 s", "Transfer  2 s",
            ]
        )
        #expect(table.lines(on: Output { _ in }) == ["\(Self.hebrew)\t1 s", "Transfer\t2 s"])
    }
}
