import Foundation
import TestSupport
import Testing

@Suite struct `The import of cards by countersign-acs` {
    private let folder: CardFolder

    init() throws { folder = try CardFolder() }

    private func load(_ lines: [String], _ options: String...) throws -> FinishedProcess {
        try load(text: (["card,account"] + lines).map { $0 + "\n" }.joined(), options)
    }

    private func load(text: String, _ options: [String] = []) throws -> FinishedProcess {
        try folder.acs.write(text, to: "cards.csv")
        let run = try FinishedProcess.run(
            ACSFolder.program,
            ["load", file, "--config", folder.acs.configuration] + options
        )
        #expect(!(run.output + run.errorOutput).contains("400000"))
        return run
    }

    private var file: String { folder.acs.path("cards.csv") }

    @Test func `adds each card once, and can be repeated`() throws {
        let lines = CardFolder.others.map { "\($0),bank/main/1" }
        let first = try load(lines)
        #expect(first.exitCode == 0 && first.output == "\(file): 3 cards added, 0 unchanged\n")
        #expect(try load(lines).output == "\(file): 0 cards added, 3 unchanged\n")
        let more = try load(lines + ["\(CardFolder.marker),bank/main/2"])
        #expect(more.output == "\(file): 1 card added, 3 unchanged\n")
        let list = try folder.run("card", "list").output
        let endings = list.matches(of: /\t(\d{4})\tactive\tbank\/main\/(\d)\n/).map {
            "\($0.1) \($0.2)"
        }
        #expect(endings.sorted() == ["1118 1", "2224 1", "3330 1", "7899 2"])
    }

    @Test func `knows the cards of card add`() throws {
        let reference = try folder.reference()
        #expect(try load(["\(CardFolder.marker),bank/main/4711"]).output.contains("1 unchanged"))
        let other = try load(["\(CardFolder.marker),bank/main/1"])
        #expect(other.exitCode == 65)
        let reason = "line 2: the card exists with another account, as \(reference)"
        #expect(other.errorOutput.contains(reason))
        #expect(try folder.run("card", "list").output.contains("bank/main/4711"))
    }

    @Test func `imports more cards than one transaction has`() throws {
        let lines = (0..<2500).map { "\(CardFolder.number($0)),bank/main/\($0)" }
        let repeated = [(7, 7), (2400, 1)].map { "\(CardFolder.number($0)),bank/main/\($1)" }
        let run = try load(lines + repeated)
        #expect(run.exitCode == 65)
        #expect(run.output == "\(file): 2500 cards added, 1 unchanged, 1 row skipped\n")
        #expect(run.errorOutput.contains("line 2503: the card exists with another account"))
        // The list reads them in pages, and has each of them once.
        let list = try folder.run("card", "list").output.split(separator: "\n")
        #expect(list.count == 2500 && Set(list).count == 2500)
        #expect(try load(lines).output == "\(file): 0 cards added, 2500 unchanged\n")
    }

    @Test func `continues after it was interrupted`() throws {
        // The second half of the file is missing, as after a kill between two transactions.
        let lines = (0..<1500).map { "\(CardFolder.number($0)),bank/main/\($0)" }
        #expect(try load(Array(lines.prefix(1000))).output.contains("1000 cards added"))
        #expect(try load(lines).output == "\(file): 500 cards added, 1000 unchanged\n")
    }

    @Test func `continues after it was killed`() throws {
        let lines = (0..<5000).map { "\(CardFolder.number($0)),bank/main/\($0)\n" }
        try folder.acs.write("card,account\n" + lines.joined(), to: "cards.csv")
        // It is killed after its first write, before or after some of 5 transactions.
        let killed = try folder.acs.shell(
            """
            rm -f acs.db-wal
            $PROGRAM load cards.csv --config acs.json >/dev/null &
            until [ -s acs.db-wal ] || ! kill -0 $!; do :; done
            kill -9 $! || true
            wait $! || true
            """
        )
        #expect(killed.exitCode == 0, "\(killed.errorOutput)")
        let list = try folder.run("card", "list").output.split(separator: "\n").count
        #expect(list % 1000 == 0)
        let run = try folder.run("load", file)
        #expect(run.output == "\(file): \(5000 - list) cards added, \(list) unchanged\n")
        #expect(unlink(file) == 0)
        for index in [7, 2500, 4999] {
            #expect(try folder.files(with: CardFolder.number(index)) == "")
        }
    }

    @Test func `reports skipped rows by line and reason`() throws {
        let run = try load([
            "4000001234567890,bank/main/1", "5555555555554444,bank/main/1",
            "\(CardFolder.marker)", "\(CardFolder.marker),other/main/1", "",
            "\(CardFolder.marker),bank/main", "4000 0012 3456 7899,bank/main/1",
            "\"\(CardFolder.marker)\",bank/main/1", "\(CardFolder.marker),bank/main/1,x",
            "\(CardFolder.others[0]),bank/main/1\r",
        ])
        #expect(run.exitCode == 65)
        #expect(run.output == "\(file): 1 card added, 0 unchanged, 8 rows skipped\n")
        let accountRule =
            "the account must be ENTERPRISE/TYPE/ID, each with 1 to 64 ASCII letters, digits, dots, "
            + "underscores or hyphens"
        let expected = [
            (2, "the check digit of the card number is wrong"),
            (3, "the card number is outside of all ranges of the configuration"),
            (4, "the row must be CARD,ACCOUNT"),
            (5, "the account must be one of the enterprise bank"),
            (7, accountRule),
            (8, "the card number must have 13 to 19 digits, and nothing else"),
            (9, "the fields must not have quotation marks"),
            (10, "the row must be CARD,ACCOUNT"),
        ].map { "\(file): line \($0): \($1)\n" }.joined()
        let end = """
            countersign-acs: skipped 8 rows
            hint: correct these rows, and repeat the command

            """
        #expect(run.errorOutput == expected + end)
        let second = try load(["4000001234567890,bank/main/1"], "--no-check-digit")
        #expect(second.output == "\(file): 1 card added, 0 unchanged\n")
    }

    @Test func `counts the skipped rows that it does not show`() throws {
        let run = try load(Array(repeating: "1,bank/main/1", count: 25))
        let lines = run.errorOutput.split(separator: "\n")
        #expect(lines.count { $0.contains(": line ") } == 20)
        #expect(lines[20] == "\(file): and 5 more rows")
        #expect(run.output.hasSuffix("25 rows skipped\n"))
    }

    @Test(arguments: ["", "account,card\n", "card;account\n", "\"card\",\"account\"\n", "x"])
    func `refuses another header`(_ text: String) throws {
        let run = try load(text: text + "\(CardFolder.marker),bank/main/1\n")
        run.expectFailure(
            65,
            "\(file): the first line is not card,account",
            hint: "write the two names without quotation marks, and separate them by a comma"
        )
        #expect(try folder.value("SELECT count(*) FROM cards") == "0")
    }

    @Test func `accepts a byte order mark, and refuses a card number as an account`() throws {
        let row = "\(CardFolder.marker),bank/main/"
        let run = try load(text: "\u{FEFF}card,account\n\(row)1\n\(row)\(CardFolder.others[0])\n")
        #expect(run.output == "\(file): 1 card added, 0 unchanged, 1 row skipped\n")
        let reason = "line 3: type and id of the account must not be a card number\n"
        #expect(run.errorOutput.contains(reason), "\(run.errorOutput)")
    }

    @Test(arguments: [257, 70_000, 200_000])
    func `skips a line that is too long`(_ count: Int) throws {
        let long = String(repeating: "4", count: count)
        let row = "\(CardFolder.marker),bank/main/1"
        let run = try load(text: "card,account\n\(row)\n\(long)\n\(row)\n1,bank/main/1\n\(long)")
        #expect(run.exitCode == 65)
        #expect(run.output == "\(file): 1 card added, 1 unchanged, 3 rows skipped\n")
        let reasons = [
            (3, "the row is too long"),
            (5, "the card number must have 13 to 19 digits, and nothing else"),
            (6, "the row is too long"),
        ].map { "\(file): line \($0): \($1)\n" }.joined()
        #expect(run.errorOutput.hasPrefix(reasons), "\(run.errorOutput.prefix(1000))")
        #expect(!run.errorOutput.contains("4444"))
    }

    @Test func `counts the cards before a failure, and can then be repeated`() throws {
        let lines = (0..<5000).map { "\(CardFolder.number($0)),bank/main/\($0)\n" }
        try folder.acs.write("card,account\n" + lines.joined(), to: "cards.csv")
        // The log of the store cannot get longer than this.
        let failed = try folder.acs.shell(
            """
            ulimit -f 2000
            $PROGRAM load cards.csv --config acs.json
            """
        )
        #expect(failed.exitCode == 75, "\(failed.errorOutput)")
        let list = try folder.run("card", "list").output.split(separator: "\n").count
        #expect(list >= 1000 && list < 5000)
        let hint = "; \(list) cards added before; the import can be repeated\n"
        #expect(failed.errorOutput.hasSuffix(hint), "\(failed.errorOutput)")
        let run = try folder.run("load", file)
        #expect(run.output == "\(file): \(5000 - list) cards added, \(list) unchanged\n")
    }

    @Test func `refuses standard input`() throws {
        try folder.run("load", "-").expectFailure(
            64,
            "load does not read standard input",
            hint: "write the rows to a private file (chmod 600), and name it"
        )
    }

    @Test func `reads a last line without its end`() throws {
        let run = try load(text: "card,account\r\n\(CardFolder.marker),bank/main/1")
        #expect(run.output == "\(file): 1 card added, 0 unchanged\n")
    }

    @Test(arguments: [
        ("chmod 640 cards.csv", 77, "other users can access"),
        ("chmod 644 cards.csv", 77, "other users can access"),
        ("rm cards.csv", 66, "does not exist"),
        ("rm cards.csv; mkdir -m 700 cards.csv", 66, "is not a regular file"),
        ("mv cards.csv x; ln -s x cards.csv", 77, "is a symbolic link"),
        ("ln cards.csv x", 77, "has a second hard link"),
    ])
    func `refuses a file that is not private`(
        _ change: String,
        _ exitCode: Int32,
        _ message: String
    ) throws {
        try folder.acs.write("card,account\n\(CardFolder.marker),bank/main/1\n", to: "cards.csv")
        #expect(try folder.acs.shell(change).exitCode == 0)
        let run = try folder.run("load", file)
        #expect(run.exitCode == exitCode)
        #expect(run.errorOutput.contains(message), "\(run.errorOutput)")
        #expect(run.output == "")
        #expect(try folder.value("SELECT count(*) FROM cards") == "0")
    }

    @Test func `leaves no number in the store`() throws {
        let lines = (0..<1200).map { "\(CardFolder.number($0)),bank/main/\($0)" }
        #expect(try load(lines + ["\(CardFolder.marker),bank/main/1"]).exitCode == 0)
        #expect(unlink(file) == 0)
        #expect(try folder.files(with: CardFolder.marker) == "")
        for index in [7, 500, 1100] {
            #expect(try folder.files(with: CardFolder.number(index)) == "")
        }
    }
}
