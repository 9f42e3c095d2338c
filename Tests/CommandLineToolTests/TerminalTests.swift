import PrivateFiles
import Testing

@testable import CommandLineTool

@Suite struct `A progress bar` {
    private func drawn(isWatched: Bool, _ draw: (ProgressBar) -> Void) -> String {
        let screen = LockedValue("")
        let terminal = Terminal(
            output: Output { _ in },
            messages: Output { text in screen.withLock { $0 += text } },
            isWatched: isWatched
        )
        draw(ProgressBar("Loading", on: terminal))
        return screen.withLock { $0 }
    }

    @Test(arguments: [
        (0, 4, "[........................] 0 %, 0 of 4"),
        (1, 4, "[######..................] 25 %, 1 of 4"),
        (999, 1000, "[#######################.] 99 %, 999 of 1000"),
        (4, 4, "[########################] 100 %, 4 of 4"),
        (5, 4, "[########################] 100 %, 5 of 4"),
        (0, 0, "[########################] 100 %, 0 of 0"),
        (-1, 4, "[........................] 0 %, 0 of 4"),
    ])
    func `replaces the line`(done: Int, total: Int, line: String) {
        let screen = drawn(isWatched: true) { $0.show(done, of: total) }
        #expect(screen == "\rLoading \(line)\u{1B}[K")
    }

    @Test func `marks an estimated total`() {
        let screen = drawn(isWatched: true) { $0.show(1, ofAbout: 4) }
        #expect(screen == "\rLoading [######..................] 25 %, 1 of about 4\u{1B}[K")
    }

    @Test func `is removed by clear`() {
        #expect(drawn(isWatched: true) { $0.clear() } == "\r\u{1B}[K")
    }

    @Test func `is not drawn without a person`() {
        let screen = drawn(isWatched: false) { bar in
            bar.show(1, of: 2)
            bar.clear()
        }
        #expect(screen.isEmpty)
    }
}

@Suite struct `A question` {
    private func isConfirmed(by typed: String?, isWatched: Bool = true) throws -> Bool? {
        let terminal = Terminal(
            output: Output { _ in },
            messages: Output { _ in },
            isWatched: isWatched,
            typedLine: { typed }
        )
        return try terminal.confirms("Restore?")
    }

    @Test(arguments: ["y", "Y", "yes", "Yes"])
    func `is confirmed by y or yes`(_ typed: String) throws {
        #expect(try isConfirmed(by: typed) == true)
    }

    @Test(arguments: ["", "n", "no", "yy", " y", "j", nil])
    func `is not confirmed by other input`(_ typed: String?) throws {
        #expect(try isConfirmed(by: typed) == false)
    }

    @Test func `is not shown without a screen and a keyboard`() throws {
        #expect(try isConfirmed(by: "y", isWatched: false) == nil)
        let silent = Terminal(output: Output { _ in }, messages: Output { _ in }, isWatched: true)
        #expect(try silent.confirms("Restore?") == nil)
    }
}

@Suite struct `A choice` {
    private func choice(typing lines: [String?]) throws -> String? {
        let left = LockedValue(lines[...])
        let terminal = Terminal(
            output: Output { _ in },
            messages: Output { _ in },
            isWatched: true,
            typedLine: { left.withLock { $0.popFirst() ?? nil } }
        )
        let chosen = try terminal.choice(
            "How?",
            among: ["consent", "pin", "phone"].map { ($0, $0) }
        )
        let isAllRead = left.withLock { $0.isEmpty }
        #expect(isAllRead)
        return chosen
    }

    @Test(arguments: ["c", "consent", "CON"])
    func `is made by the first letters of a word`(_ typed: String) throws {
        #expect(try choice(typing: [typed]) == "consent")
    }

    @Test func `is repeated until the input is valid, and Return alone is not valid`() throws {
        #expect(try choice(typing: ["", "p", "pins", " pin", "pi"]) == "pin")
    }

    @Test func `is nil at the end of input`() throws {
        #expect(try choice(typing: ["x", nil]) == nil)
    }
}
