import Foundation
import TestSupport
import Testing

@Suite struct `The audit commands of countersign-acs` {
    private let folder: CardFolder

    private let reference: String

    init() throws {
        folder = try CardFolder()
        reference = try folder.reference()
    }

    /// Two payments with four records each, after that of the card.
    private func storePayments() async throws -> [String] {
        let payments = try await StoredPayments(in: folder)
        var challenges: [String] = []
        for number in 1...2 {
            challenges.append(try await payments.decide(number, isDelivered: true))
            payments.advance(seconds: 1)
        }
        await payments.close()
        return challenges
    }

    private struct Audit: Decodable, Equatable {
        var records: Int
        var brokenRecord: Int?
        var rows: Int
        var findings: Int
        var forgedRows: [String] = []
        var lockedRows: [String] = []
        var unrecordedRows: [String] = []
        var differingRows: [String] = []
        var repeatedAuthentications: [String] = []
    }

    private func audit() throws -> (Audit, exitCode: Int32) {
        let run = try folder.run("audit", "verify", "--json")
        return (try JSONDecoder().decode(Audit.self, from: Data(run.output.utf8)), run.exitCode)
    }

    @Test func `verify the records and rows of a new store`() throws {
        let new = try CardFolder()
        #expect(try new.run("audit", "verify").output == "Verified: 0 records and 5 rows.\n")
        try new.run("audit", "list").expectFailure(2, "there are no records")
        let none = try new.run("audit", "list", "--after", "1")
        #expect(none.exitCode == 66)
        #expect(none.errorOutput.contains("there is no such record: the store has none\n"))
        let run = try folder.run("audit", "verify")
        #expect(run.exitCode == 0 && run.output == "Verified: 1 record and 6 rows.\n")
    }

    @Test func `list the changes of cards, and compare them with the cards`() throws {
        let other = try folder.reference(CardFolder.others[0])
        for name in ["block", "block", "unblock", "block"] {
            #expect(try folder.run("card", name, reference).exitCode == 0)
        }
        #expect(try folder.run("card", "remove", other, "--yes").exitCode == 0)
        let list = try folder.run("audit", "list")
        let changes = list.output.split(separator: "\n").map { line in
            line.split(separator: "\t").dropFirst(2).joined(separator: " ")
        }
        #expect(
            changes == [
                "\(reference) cardAdded command", "\(other) cardAdded command",
                "\(reference) cardBlocked command", "\(reference) cardUnblocked command",
                "\(reference) cardBlocked command", "\(other) cardRemoved command",
            ]
        )
        let ofOther = try folder.run("audit", "list", "--card", other, "--json").output
        #expect(ofOther.split(separator: "\n").count == 2)
        #expect(
            ofOther.contains(#""card":"\#(other)","step":"cardRemoved","details":["command"]}"#)
        )
        #expect(try audit() == (Audit(records: 6, rows: 6, findings: 0), 0))
    }

    @Test func `refuse an authentication and a card together`() async throws {
        let id = try await storePayments()[0]
        try folder.run("audit", "list", "--card", reference, "--authentication", id).expectFailure(
            64,
            "audit list takes --authentication or --card, not both",
            hint: "a record is about one of them; run the command for each"
        )
        #expect(try folder.run("audit", "list", "--card", reference).exitCode == 0)
    }

    @Test func `list one record for each step`() async throws {
        let challenges = try await storePayments()
        #expect(
            try folder.run("audit", "verify").output == "Verified: 9 records and 10 rows.\n"
        )
        let list = try folder.run("audit", "list")
        let expected = challenges.enumerated().map { index, id in
            let steps = [
                ("answered", "C"), ("asked", "transaction-\(index + 1)"),
                ("decided", "Y transaction-\(index + 1)"),
                ("reported", "RRes 01"),
            ]
            return steps.enumerated().map { step, content in
                "\(index * 4 + step + 2)\t2026-11-18 11:06:4\(index) UTC\t\(id)\t"
                    + "\(content.0)\t\(content.1)\n"
            }.joined()
        }
        let ofCard = list.output.prefix { $0 != "\n" }
        #expect(ofCard.hasSuffix("\t\(reference)\tcardAdded\tcommand"))
        #expect(list.output.dropFirst(ofCard.count + 1) == expected.joined())
        let rest = try folder.run("audit", "list", "--after", "5")
        #expect(rest.output == expected[1])
        let one = try folder.run("audit", "list", "--authentication", challenges[0])
        #expect(one.output == expected[0])
        let json = try folder.run("audit", "list", "--json", "--after", "7")
        #expect(
            json.output == """
                {"number":8,"time":1795000001000,"authentication":"\(challenges[1])",\
                "step":"decided","details":["Y","transaction-2"]}
                {"number":9,"time":1795000001000,"authentication":"\(challenges[1])",\
                "step":"reported","details":["RRes","01"]}

                """
        )
        try folder.run("audit", "list", "--after", "9").expectFailure(2, "there are no records")
        try folder.run("audit", "list", "--after", "10").expectFailure(
            66,
            "there is no such record: the last one is 9",
            hint: "after a restore, continue after the last record of the backup"
        )
        for secret in StoredPayments.secrets { #expect(!list.output.contains(secret)) }
    }

    @Test(arguments: [
        ("DELETE FROM records WHERE number = 1", 1),
        ("DELETE FROM records WHERE number = 5", 5),
        ("UPDATE records SET content = replace(content, 'decided', 'ended') WHERE number = 4", 4),
        ("UPDATE records SET mac = (SELECT mac FROM records WHERE number = 7) WHERE number = 6", 6),
        ("UPDATE records SET number = 10 WHERE number = 3", 3),
        ("UPDATE records SET content = 'x' WHERE number = 8", 8),
        ("UPDATE records SET content = CAST(x'FF00' AS TEXT) WHERE number = 8", 8),
        ("UPDATE records SET mac = x'' WHERE number = 9", 9),
        ("INSERT INTO records SELECT 10, content, mac FROM records WHERE number = 9", 10),
        ("INSERT INTO records SELECT 9223372036854775807, content, mac FROM records LIMIT 1", 10),
    ])
    func `SEC-99: find a record that another program changed`(_ sql: String, _ number: Int)
        async throws
    {
        _ = try await storePayments()
        try folder.attack(sql)
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1)
        #expect(verify.output == "record \(number): missing or not authentic\n")
        #expect(
            verify.errorOutput == """
                countersign-acs: the audit has 1 finding; \
                the chain is unbroken up to record \(number - 1)
                hint: copy the store as evidence, and restore a backup

                """
        )
        let list = try folder.run("audit", "list")
        #expect(list.exitCode == 1)
        #expect(list.output.split(separator: "\n").count == number - 1)
        #expect(
            list.errorOutput == """
                countersign-acs: record \(number) is missing or not authentic; \
                the list ends before it
                hint: countersign-acs audit verify checks the whole store

                """
        )
    }

    @Test func `find that the end of the trail was removed`() async throws {
        let challenges = try await storePayments()
        try folder.attack("DELETE FROM records WHERE number > 5")
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1)
        let finding = "authentication \(challenges[1]): its records are missing\n"
        #expect(verify.output == finding)
        try folder.attack("DELETE FROM records")
        let (audit, exitCode) = try audit()
        #expect(exitCode == 1)
        #expect(
            audit
                == Audit(
                    records: 0,
                    rows: 10,
                    findings: 3,
                    unrecordedRows: challenges.sorted().map { "authentication \($0)" }
                        + ["card \(reference)"]
                )
        )
    }

    @Test func `name the rows that another program wrote`() async throws {
        let challenges = try await storePayments()
        #expect(try audit() == (Audit(records: 9, rows: 10, findings: 0), 0))
        try folder.attack("UPDATE authentications SET made = 1 WHERE id = '\(challenges[0])'")
        let (found, exitCode) = try audit()
        let name = "authentication \(challenges[0])"
        #expect(exitCode == 1)
        #expect(found == Audit(records: 9, rows: 9, findings: 1, forgedRows: [name]))
    }

    @Test func `find a removed card, and an earlier content that is not blocked`() throws {
        let earlier = try folder.value("SELECT hex(sealed) FROM cards")
        #expect(try folder.run("card", "block", reference).exitCode == 0)
        try folder.attack("UPDATE cards SET sealed = x'\(earlier)'")
        let card = "card \(reference)"
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1)
        #expect(verify.output == "\(card): the row and its records differ\n")
        try folder.attack("DELETE FROM cards")
        let found = Audit(records: 2, rows: 5, findings: 1, differingRows: [card])
        #expect(try audit() == (found, 1))
    }

    @Test func `need the encryption keys`() throws {
        try folder.acs.write("1 \(String(repeating: "0", count: 64))\n", to: "encryption")
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 65)
        #expect(verify.errorOutput.contains("do not match the store"))
        #expect(unlink(folder.acs.path("encryption")) == 0)
        #expect(try folder.run("audit", "verify").exitCode == 66)
    }
}
