import Testing

@testable import CommandLineTool

@Suite struct `Aligned rows` {
    @Test func `have columns as wide as their widest text`() {
        let rows = [["ID", "LEFT", "TITLE"], ["7f3a", "5 s", "A long title"], ["x"]]
        #expect(
            aligned(rows) == ["ID    LEFT  TITLE", "7f3a  5 s   A long title", "x"]
        )
        #expect(aligned([]).isEmpty)
    }

    @Test(arguments: [
        ("Grocer", 6), ("東京", 4), ("ﾄｳｷｮｳ", 5), ("한국", 4), ("ＡＢ", 4), ("⌛🍎", 4),
        ("e\u{301}a\u{308}", 2), ("\u{E01}\u{E35}", 1), ("", 0),
    ])
    func `count columns as a terminal does`(_ text: String, _ width: Int) {
        #expect(text.width == width)
        let lines = aligned([[text, "x"], ["1234567890", "y"]])
        #expect(lines[0] == text + String(repeating: " ", count: 12 - width) + "x")
    }
}
