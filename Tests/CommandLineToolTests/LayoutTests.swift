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
}
