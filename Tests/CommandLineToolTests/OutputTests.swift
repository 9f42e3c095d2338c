import Foundation
import PrivateFiles
import TestSupport
import Testing

@testable import CommandLineTool

@Suite struct `Output to a descriptor` {
    @Test func `is complete although signals interrupt the writes`() async throws {
        let pipe = Pipe.closedOnExec()
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let writer = await startWriting(text, to: pipe.fileHandleForWriting)
        var read = Data()
        while let piece = try pipe.fileHandleForReading.read(upToCount: 4096), !piece.isEmpty {
            read += piece
            // The second signal may arrive before new bytes are written, which causes `EINTR`.
            pthread_kill(writer.thread, SIGUSR1)
            pthread_kill(writer.thread, SIGUSR1)
        }
        writer.mayEnd.signal()
        let isWhole = read == Data(text.utf8)
        #expect(isWhole, "\(read.count) bytes of \(text.utf8.count)")
    }

    @Test func `breaks long values inside their column`() {
        let output = Output(isScreen: true, columns: 30) { _ in }
        let facts = [
            Fact("Amount", "47.11 EUR"),
            Fact("To", String(repeating: "x", count: 20) + " Amount 1.00"),
            Fact("", "東京都千代田区丸の内"),
        ]
        #expect(
            output.lines(of: facts, indent: 2) == [
                "  Amount  47.11 EUR", "  To      " + String(repeating: "x", count: 20),
                "          Amount 1.00", "          東京都千代田区丸の内",
            ]
        )
        #expect(output.lines(of: [Fact("A", "東京都千代田区丸の内 1-2")], indent: 9).count == 2)
        // A cluster of Thai is wider than a column, and a mark above it no wider.
        let thai = String(repeating: "\u{E01}\u{E33}\u{E35}", count: 30)
        let columns = output.lines(of: [Fact("To", thai)], indent: 2).map { line in
            line.unicodeScalars.count { $0.properties.generalCategory != .nonspacingMark }
        }
        #expect(columns.count == 3 && columns.allSatisfy { $0 <= 30 }, "\(columns)")
        let long = Fact("A", String(repeating: "x", count: 500))
        #expect(Output { _ in }.lines(of: [long], indent: 2).count == 1)
    }

    @Test func `has values below their names if their column is too narrow`() {
        let label = "Account holder of the former owner"
        let facts = [
            Fact("To", "a Grocer with a name of many more words", isBold: true),
            Fact("", "DE89"), Fact(label, "one"), Fact(label + " and 40", "Amount 1.00 EUR"),
        ]
        let output = Output(isScreen: true, columns: 40) { _ in }
        #expect(
            output.lines(of: facts, indent: 4) == [
                "    To", "        a Grocer with a name of many", "        more words",
                "        DE89", "    \(label)", "        one", "    \(label)",
                "      and 40", "        Amount 1.00 EUR",
            ]
        )
        // Half of the screen is wide enough.
        let half = [Fact(String(repeating: "x", count: 16), "one")]
        #expect(output.lines(of: half, indent: 2) == ["  xxxxxxxxxxxxxxxx  one"])
        #expect(output.lines(of: half, indent: 3).count == 2)
        #expect(Output { _ in }.lines(of: facts, indent: 4).count == 4)
    }

    @Test func `has the width of the screen at each use`() throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        var size = winsize(ws_row: 24, ws_col: 20, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&master, &slave, nil, nil, &size) == 0)
        defer { for descriptor in [master, slave] { close(descriptor) } }
        let output = Output(to: slave, named: "a terminal", isWrapped: true)
        #expect(output.columns == 20)
        #expect(output.wrapped("a question of words") == "a question of words")
        size.ws_col = 10
        #expect(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)
        #expect(output.columns == 10)
        #expect(output.wrapped("a question of words") == "a question\n  of words")
    }

    @Test(arguments: [
        ("short", "short"), ("123456789", "123456789"), ("0123456789", "123456789"),
        ("abcdefgh東京", "defgh東京"), ("", ""),
    ])
    func `shows the end of a line that leaves a column for the cursor`(
        _ line: String,
        end: String
    ) {
        #expect(Output(isScreen: true, columns: 10) { _ in }.end(of: line) == end)
        #expect(Output { _ in }.end(of: line) == line)
    }

    @Test func `to a closed file is a failure`() throws {
        let failure = #expect(throws: CommandFailure.self) {
            try Output(to: -1, named: "nowhere").print("")
        }
        #expect(failure?.exitCode == .inputOutput)
        #expect(failure?.message == "cannot write to nowhere: Bad file descriptor")
    }

    @Test func `of a failure wraps the message, but not the hint, which may have a command`() {
        let failure = CommandFailure(
            .usage,
            "the first and the last",
            hint: "run a b --c d e f g h"
        )
        let narrow = Output(isScreen: true, columns: 20, isWrapped: true) { _ in }
        let report = failure.report(from: "countersign", on: narrow)
        #expect(report == "countersign: the\n  first and the last\nhint: run a b --c d e f g h\n")
    }

    @Test func `of a failure escapes control characters`() {
        let failure = CommandFailure(
            .tryLater,
            "the server said \u{1B}[2J\napproved\u{202E}",
            hint: "wait ⏳"
        )
        #expect(
            failure.report(from: "countersign", on: Output { _ in }) == #"""
                countersign: the server said \u{1B}[2J\napproved\u{202E}
                hint: wait ⏳

                """#
        )
    }
}

@Suite struct `A table` {
    private func printed(
        _ table: Table,
        isScreen: Bool,
        columns: Int? = nil
    ) throws -> String {
        let text = LockedValue("")
        try Output(isScreen: isScreen, columns: columns, isStyled: isScreen) { piece in
            text.withLock { $0 += piece }
        }.print(table)
        return text.withLock { $0 }
    }

    @Test func `is aligned on a screen and has tabs for a program`() throws {
        let table = Table(["NAME", "OF"], [["a", "1"], ["longer", "2"]])
        #expect(
            try printed(table, isScreen: true)
                == "\u{1B}[1mNAME    OF\u{1B}[0m\na       1\nlonger  2\n"
        )
        #expect(try printed(table, isScreen: false) == "a\t1\nlonger\t2\n")
        let facts = Table(facts: [("Name", "a"), ("Of", nil)])
        #expect(try printed(facts, isScreen: true) == "Name  a\n")
    }

    @Test func `has a paragraph for each row if it is wider than the screen`() throws {
        let rows = [["a", "", "three words here"], ["longer", "東京", "https://bank.example/?x"]]
        let table = Table(["NAME", "OF", "ADDRESS"], rows)
        let wide = try printed(table, isScreen: true, columns: 37)
        #expect(wide.split(separator: "\n").count == 3)
        #expect(
            try printed(table, isScreen: true, columns: 20) == """
                NAME     a
                ADDRESS  three words
                         here

                NAME     longer
                OF       東京
                ADDRESS  https://bank.example/?x

                """
        )
        #expect(try printed(table, isScreen: false, columns: 20).split(separator: "\n").count == 2)
        let facts = Table(facts: [("Title", "three words here"), ("Of", "東京")])
        #expect(
            try printed(facts, isScreen: true, columns: 18)
                == "Title  three words\n       here\nOf     東京\n"
        )
    }

    @Test(arguments: [true, false])
    func `escapes characters that move the cursor or imitate a column or a row`(isScreen: Bool)
        throws
    {
        let text = try printed(Table([], [["a\tb", "c\nd\u{1B}[2J\u{202E}"]]), isScreen: isScreen)
        #expect(text.count { $0 == "\n" } == 1)
        #expect(text.count { $0 == "\t" } == (isScreen ? 0 : 1))
        #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) })
    }
}

/// Starts a thread that writes `text`, closes `handle` and waits; the test sends it signals.
private func startWriting(
    _ text: String,
    to handle: FileHandle
) async -> (thread: pthread_t, mayEnd: DispatchSemaphore) {
    // Without `SA_RESTART`, a signal interrupts a write.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGUSR1, &action, nil)
    let mayEnd = DispatchSemaphore(value: 0)
    let thread = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            var signals = sigset_t()
            sigaddset(&signals, SIGUSR1)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            continuation.resume(returning: pthread_self())
            // The test detects a failure by the missing bytes: `try?`.
            try? Output(to: handle.fileDescriptor, named: "pipe").write(text)
            try? handle.close()
            mayEnd.wait()
        }
    }
    return (thread, mayEnd)
}
