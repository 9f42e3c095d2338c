import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The card commands of countersign-acs` {
    private let folder: CardFolder

    init() throws { folder = try CardFolder() }

    @Test func `add, list, block, unblock and remove a card`() throws {
        let empty = try folder.run("card", "list")
        empty.expectFailure(2, "there are no cards")
        let reference = try folder.reference()
        #expect(
            try folder.run("card", "list").output == "\(reference)\t7899\tactive\tbank/main/4711\n"
        )
        let blocked = try folder.run("card", "block", reference)
        #expect(blocked.output == "The card \(reference) is blocked.\n")
        #expect(
            try folder.run("card", "list").output == "\(reference)\t7899\tblocked\tbank/main/4711\n"
        )
        // A repeated command is not an error.
        #expect(try folder.run("card", "block", reference).exitCode == 0)
        let active = try folder.run("card", "unblock", reference)
        #expect(active.output == "The card \(reference) is active.\n")
        #expect(try folder.run("card", "list").output.contains("\tactive\t"))
        let removed = try folder.run("card", "remove", reference, "--yes")
        #expect(removed.output == "Removed \(reference).\n")
        try folder.run("card", "list").expectFailure(2, "there are no cards")
        #expect(try folder.reference() != reference)
    }

    @Test func `print JSON`() throws {
        let added = try folder.add(options: "--json")
        let card = try JSONDecoder().decode(Card.self, from: Data(added.output.utf8))
        #expect(card.lastFour == "7899" && card.account == "bank/main/4711" && !card.isBlocked)
        let list = try folder.run("card", "list", "--json")
        let cards = try JSONDecoder().decode([String: [Card]].self, from: Data(list.output.utf8))
        #expect(cards == ["cards": [card]])
    }

    private struct Card: Decodable, Equatable {
        let reference: String
        let lastFour: String
        let account: String
        let isBlocked: Bool
    }

    @Test func `list the cards of one account`() throws {
        let first = try folder.reference(CardFolder.others[0], "bank/main/1")
        let second = try folder.reference(CardFolder.others[1], "bank/main/2")
        let list = try folder.run("card", "list").output
        #expect(list.contains(first) && list.contains(second))
        let one = try folder.run("card", "list", "--account", "bank/main/2")
        #expect(one.output == "\(second)\t2224\tactive\tbank/main/2\n")
        try folder.run("card", "list", "--account", "bank/main/3")
            .expectFailure(2, "there are no cards")
    }

    @Test func `do not add a card twice`() throws {
        let reference = try folder.reference()
        for account in ["bank/main/4711", "bank/main/4712"] {
            try folder.add(to: account).expectFailure(
                1,
                "the card exists: \(reference), ending in 7899, of bank/main/4711"
            )
        }
        #expect(try folder.run("card", "list").output.split(separator: "\n").count == 1)
    }

    @Test func `give each card another reference`() throws {
        let references = try CardFolder.others.map { try folder.reference($0) }
        #expect(Set(references).count == 3)
    }

    @Test(arguments: ["block", "unblock"])
    func `refuse an unknown reference`(_ command: String) throws {
        try folder.run("card", command, "0123456789abcdef").expectFailure(
            66,
            "there is no card with this reference",
            hint: "countersign-acs card list shows the cards"
        )
    }

    @Test func `accept a reference in capitals`() throws {
        let reference = try folder.reference()
        #expect(try folder.run("card", "block", reference.uppercased()).exitCode == 0)
        #expect(try folder.run("card", "list").output.contains("\(reference)\t7899\tblocked\t"))
    }

    @Test(arguments: ["block", "unblock", "remove"])
    func `never print a number instead of a reference`(_ command: String) throws {
        let digits = try folder.run("card", command, "4000003918274651")
        #expect(digits.exitCode == 66 || digits.exitCode == 64)
        #expect(!(digits.output + digits.errorOutput).contains("4651"))
        for text in ["4000003918274", "0123456789ABCDEG", "4000 0039 1827 4651"] {
            let run = try folder.run("card", command, text)
            #expect(run.exitCode == 64)
            let rule = "REFERENCE must be 16 hexadecimal digits"
            #expect(run.errorOutput.contains(rule), "\(run.errorOutput)")
            #expect(!(run.output + run.errorOutput).contains(text))
        }
    }

    @Test(arguments: [
        ["card", "add", CardFolder.marker], ["card", CardFolder.marker],
        ["card", "list", "--account", CardFolder.marker], ["card", "block", CardFolder.marker],
        ["card", "unblock", CardFolder.marker], ["card", "remove", CardFolder.marker, "--yes"],
        ["card", "block", "400000123456789"], ["card", "add", "--\(CardFolder.marker)"],
    ])
    func `warn of the history of the shell after a number`(_ words: [String]) throws {
        let run = try FinishedProcess.run(
            ACSFolder.program,
            words + ["--config", folder.acs.configuration]
        )
        #expect(run.exitCode == 64 || run.exitCode == 66)
        let hint = "if it was a PIN or a card number, delete it from the history of the shell\n"
        #expect(run.errorOutput.hasSuffix(hint), "\(run.errorOutput)")
        #expect(!run.errorOutput.contains("40000012"), "\(run.errorOutput)")
    }

    @Test func `refuse a card number as an account`() throws {
        let account = "bank/main/\(CardFolder.others[0])"
        try folder.add(to: account).expectFailure(
            64,
            "type and id of the account must not be a card number",
            hint: "use the account of the person at the verifier, such as bank/main/4711"
        )
        // Numbers outside of all ranges are accounts.
        #expect(try folder.add(to: "bank/main/5555555555554444").exitCode == 0)
    }

    @Test func `remove only existing cards, after a confirmation`() throws {
        let reference = try folder.reference()
        try folder.run("card", "remove", reference).expectFailure(
            64,
            "the command needs a confirmation, but has no terminal to ask for it",
            hint: "confirm with --yes"
        )
        #expect(try folder.run("card", "list").exitCode == 0)
        try folder.run("card", "remove", "0123456789abcdef", "--yes").expectFailure(
            66,
            "there is no card with this reference",
            hint: "countersign-acs card list shows the cards"
        )
    }
}

@Suite struct `The number of a card that is added` {
    private let folder: CardFolder

    init() throws { folder = try CardFolder() }

    @Test func `must have its check digit, or the option`() throws {
        try folder.add("4000001234567890").expectFailure(
            65,
            "the check digit of the card number is wrong",
            hint: "check the number; for cards without a check digit, use --no-check-digit"
        )
        #expect(try folder.add("4000001234567890", options: "--no-check-digit").exitCode == 0)
    }

    @Test(arguments: ["4000001234567", "4000011234567893", "5555555555554444"])
    func `must be in a range`(_ number: String) throws {
        try folder.add(number, options: "--no-check-digit").expectFailure(
            65,
            "the card number is outside of all ranges of the configuration",
            hint: "check the number, and the ranges of the directories"
        )
    }

    @Test(arguments: [
        "400000123456", "40000012345678990000", "4000 0012 3456 7899", "4000001234567899x",
        "-4000001234567899", "4000001234567899\r", "４０００００１２３４５６７８９９",
    ])
    func `must have digits only`(_ number: String) throws {
        try folder.add(number).expectFailure(
            65,
            "the card number must have 13 to 19 digits, and nothing else"
        )
    }

    @Test func `must be there`() throws {
        try folder.add("").expectFailure(
            66,
            "there is no card number",
            hint: "type it, or name its descriptor, as in --card-fd 3 3<FILE"
        )
        // Without a terminal to type it.
        try folder.run("card", "add", "bank/main/4711").expectFailure(
            66,
            "there is no card number",
            hint: "type it, or name its descriptor, as in --card-fd 3 3<FILE"
        )
        let long = try folder.add(String(repeating: "4", count: 1000))
        long.expectFailure(65, "the input is longer than 512 bytes")
    }

    @Test func `belongs to the configured enterprise`() throws {
        try folder.add(to: "other/main/4711").expectFailure(
            64,
            "the account must be one of the enterprise bank",
            hint: "check the member enterprise of the configuration"
        )
        let tooLong = String(repeating: "1", count: 65)
        for account in ["bank/4711", "bank/main/Müller", "bank/main/\(tooLong)"] {
            let malformed = try folder.add(to: account)
            #expect(malformed.exitCode == 64)
            let rule =
                "ACCOUNT must be ENTERPRISE/TYPE/ID, each with 1 to 64 ASCII letters, digits,"
            #expect(malformed.errorOutput.contains(rule), "\(malformed.errorOutput)")
        }
        #expect(try folder.value("SELECT count(*) FROM cards") == "0")
    }

    @Test func `cannot be an argument`() throws {
        let refused = try folder.run("card", "add", "bank/main/4711", CardFolder.marker)
        #expect(refused.exitCode == 64)
        #expect(!refused.errorOutput.contains(CardFolder.marker))
        let closed = try folder.run("card", "add", "bank/main/4711", "--card-fd", "9")
        #expect(closed.exitCode == 64)
        #expect(closed.errorOutput.contains("--card-fd must be an open file descriptor"))
    }

    @Test func `is typed on a terminal that does not show it`() throws {
        let session = try TerminalSession(
            [ACSFolder.program, "card", "add", "bank/main/4711", "--config"]
                + [folder.acs.configuration]
        )
        try session.wait(for: "Card number: ", typing: "\(CardFolder.marker)\n")
        try session.wait(for: "7899")
        #expect(try session.end() == 0)
        #expect(!session.screen.contains(CardFolder.marker))
        #expect(try folder.run("card", "list").output.contains("\t7899\t"))
    }

    @Test func `is typed twice if it has no check digit`() throws {
        let words =
            [ACSFolder.program, "card", "add", "bank/main/4711", "--no-check-digit", "--config"]
            + [folder.acs.configuration]
        let mistyped = try TerminalSession(words)
        try mistyped.wait(for: "Card number: ", typing: "4000001234567890\n")
        try mistyped.wait(for: "Card number again: ", typing: "4000001234567891\n")
        try mistyped.wait(for: "the two card numbers are different")
        #expect(try mistyped.end() == 65)
        let session = try TerminalSession(words)
        try session.wait(for: "Card number: ", typing: "4000001234567890\n")
        try session.wait(for: "Card number again: ", typing: "4000001234567890\n")
        #expect(try session.end() == 0)
    }

    @Test func `is in no file and no output`() throws {
        let reference = try folder.reference()
        let outputs = try [
            folder.add(), folder.add(to: "bank/main/1"), folder.run("card", "list"),
            folder.run("card", "list", "--json"), folder.run("card", "block", reference),
        ]
        for run in outputs {
            #expect(!(run.output + run.errorOutput).contains(CardFolder.marker))
        }
        #expect(try folder.files(with: CardFolder.marker) == "")
        let strings = try FinishedProcess.run("strings", ["-n", "4", folder.acs.path("acs.db")])
        #expect(strings.exitCode == 0 && strings.output.contains(reference))
        // The reference can contain four of these digits.
        let others = strings.output.replacing(reference, with: "")
        #expect(!others.contains("4711") && !others.contains("7899"))
        // The judge finds what is there.
        try folder.acs.write(CardFolder.marker, to: "leak")
        #expect(try folder.files(with: CardFolder.marker).hasSuffix("leak\n"))
    }
}
