import Testing

@testable import CommandLineTool

@Suite struct `Rows of text` {
    @Test func `stand in columns as wide as their widest text, but for the last`() {
        let rows = [["ID", "LEFT", "TITLE"], ["7f3a", "5 s", "A long title"], ["x"]]
        #expect(
            aligned(rows) == ["ID    LEFT  TITLE", "7f3a  5 s   A long title", "x"]
        )
        #expect(aligned([]).isEmpty)
    }
}
