import Foundation
import TestSupport
import Testing

/// An attacker who can write to the database, but does not have the encryption keys.
@Suite struct `A change of the database by another program` {
    private let folder: CardFolder
    private let (first, second): (String, String)

    init() throws {
        folder = try CardFolder()
        first = try folder.reference(CardFolder.others[0], "bank/main/1")
        second = try folder.reference(CardFolder.others[1], "bank/main/2")
    }

    /// Expects that the commands name the rows, and list the others.
    private func expectForged(
        _ rows: String...,
        others: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 65, sourceLocation: location)
        let listed = list.output.split(separator: "\n").map { line in
            String(line.prefix { $0 != "\t" })
        }
        #expect(listed == others, sourceLocation: location)
        let count = rows.count == 1 ? "1 row" : "\(rows.count) rows"
        #expect(
            list.errorOutput == """
                countersign-acs: \(count) cannot be read: \(rows.joined(separator: ", "))
                hint: copy the store as evidence, and restore a backup

                """,
            sourceLocation: location
        )
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1, sourceLocation: location)
        for row in rows {
            let finding = "\(row): another program wrote this row"
            #expect(verify.output.contains(finding), sourceLocation: location)
        }
    }

    @Test func `is found for a content from another card`() throws {
        try folder.attack(
            """
            UPDATE cards SET sealed = (SELECT sealed FROM cards WHERE reference = '\(second)')
            WHERE reference = '\(first)'
            """
        )
        try expectForged("card \(first)", others: [second])
        let block = try folder.run("card", "block", first)
        #expect(block.exitCode == 65 && block.errorOutput.contains("is not authentic"))
        #expect(try folder.run("card", "block", second).exitCode == 0)
        let added = try folder.add(CardFolder.others[0], to: "bank/main/3")
        #expect(added.exitCode == 65 && added.errorOutput.contains("is not authentic"))
    }

    @Test func `is found for two cards that changed their contents`() throws {
        try folder.attack(
            """
            CREATE TEMP TABLE both AS SELECT reference, sealed FROM cards;
            UPDATE cards SET sealed = (SELECT sealed FROM both WHERE reference != cards.reference);
            """
        )
        try expectForged("card \(min(first, second))", "card \(max(first, second))")
        let verify = try folder.run("audit", "verify")
        #expect(verify.output.split(separator: "\n").count == 2)
    }

    @Test func `is found for another number`() throws {
        try folder.attack(
            """
            UPDATE cards SET digest = x'\(String(repeating: "00", count: 32))'
            WHERE reference = '\(first)'
            """
        )
        try expectForged("card \(first)", others: [second])
    }

    @Test func `is found for another reference`() throws {
        try folder.attack(
            "UPDATE cards SET reference = '0000000000000000' WHERE reference = '\(first)'"
        )
        try expectForged("card 0000000000000000", others: [second])
    }

    @Test func `is found for a copy of a row`() throws {
        try folder.attack(
            """
            INSERT INTO cards SELECT '0000000000000000', x'01', account, sealed FROM cards
            WHERE reference = '\(first)'
            """
        )
        try expectForged("card 0000000000000000", others: [first, second].sorted())
    }

    @Test func `is found for each changed byte of a content`() throws {
        let content = try folder.value(
            "SELECT hex(sealed) FROM cards WHERE reference = '\(first)'"
        )
        let count = content.utf8.count / 2
        for index in [0, 5, 6, 17, count / 2, count - 1] {
            let place = content.index(content.startIndex, offsetBy: index * 2)
            let byte = try #require(UInt8(content[place...].prefix(2), radix: 16))
            let changed = String(String(256 + Int(byte ^ 1), radix: 16).dropFirst())
            let end = content.index(place, offsetBy: 2)
            let text = content[..<place] + changed + content[end...]
            try folder.attack(
                "UPDATE cards SET sealed = x'\(text)' WHERE reference = '\(first)'"
            )
            let list = try folder.run("card", "list")
            #expect(list.exitCode == 65 && !list.output.contains(first), "byte \(index)")
            #expect(list.output.contains(second))
        }
        try folder.attack(
            "UPDATE cards SET sealed = x'\(content)' WHERE reference = '\(first)'"
        )
        #expect(try folder.run("card", "list").exitCode == 0)
    }

    @Test func `is found for a key that does not exist, and hides no other row`() throws {
        try folder.write(keyVersion: 99, intoCard: first)
        try folder.attack("UPDATE cards SET account = x'00' WHERE reference = '\(second)'")
        let third = try folder.reference(CardFolder.others[2], "bank/main/3")
        let row = "card \(first) (version 99 of the encryption key is missing)"
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 65 && list.output.hasPrefix("\(third)\t"))
        #expect(list.errorOutput.contains(": 2 rows cannot be read: "))
        #expect(list.errorOutput.contains(row), "\(list.errorOutput)")
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1)
        #expect(
            verify.output == """
                card \(second): another program wrote this row
                \(row): another program wrote this row, or the key file is incomplete

                """
        )
        #expect(
            try folder.run("audit", "verify", "--json").output.contains(#""lockedRows":["card"#)
        )
        let backup = try folder.run("backup", folder.acs.path("copy.db"))
        #expect(backup.exitCode == 1 && backup.errorOutput.contains("its audit has 2 findings"))
        #expect(try folder.run("card", "block", third).exitCode == 0)
    }

    @Test func `is found for a malformed row`() throws {
        try folder.attack(
            """
            INSERT INTO cards VALUES (CAST(x'FF41' AS TEXT), x'02', x'00', x'00');
            INSERT INTO cards VALUES ('x', x'03', x'00', x'');
            """
        )
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 65 && list.output.split(separator: "\n").count == 2)
        #expect(list.errorOutput.contains("2 rows cannot be read: card x, card without a name\n"))
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1)
        #expect(verify.output.contains("card x: another program wrote this row\n"))
        #expect(verify.output.contains("a row without a name: another program wrote this row\n"))
    }

    @Test func `is found for a secret`() throws {
        try folder.attack(
            """
            UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE name = 'forms')
            WHERE name = 'cards'
            """
        )
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 65)
        #expect(list.errorOutput.contains("the row secret cards of the store "))
        try folder.attack("DELETE FROM secrets WHERE name = 'cards'")
        let damaged = try folder.run("card", "list")
        #expect(damaged.exitCode == 65 && damaged.errorOutput.contains("is damaged"))
    }

    @Test func `is found for a trigger`() throws {
        try folder.attack(
            "CREATE TRIGGER t AFTER INSERT ON cards BEGIN DELETE FROM records; END"
        )
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 65)
        #expect(list.errorOutput.contains("tables, indexes or triggers"))
    }
}

@Suite struct `A change of a challenge by another program` {
    private let folder: CardFolder

    init() throws {
        folder = try CardFolder()
        _ = try folder.reference()
    }

    private func storePayments() async throws -> [String] {
        let payments = try await StoredPayments(in: folder)
        let asked = try await payments.begin(1)
        try await payments.enter(asked, 1)
        let undelivered = try await payments.decide(2, isDelivered: false)
        await payments.close()
        return [asked, undelivered]
    }

    @Test(arguments: [
        "result_due = NULL", "due = NULL", "due = due + 1", "awaited = 'transaction-9'",
        "page = 'x'", "made = made + 1", "directory_id = 'x'",
        "sealed = (SELECT sealed FROM authentications WHERE id != '$ID')",
        "sealed = x'01'", "id = '00000000-0000-0000-0000-000000000000'",
    ])
    func `is found by the next command`(_ change: String) async throws {
        let id = try await storePayments()[1]
        #expect(try folder.run("challenge", "list").exitCode == 0)
        try folder.attack(
            "UPDATE authentications SET \(change.replacing("$ID", with: id)) WHERE id = '\(id)'"
        )
        let list = try folder.run("challenge", "list")
        #expect(list.exitCode == 65)
        let row = change.hasPrefix("id = ") ? "00000000-0000-0000-0000-000000000000" : id
        #expect(list.errorOutput.contains(": 1 row cannot be read: authentication \(row)\n"))
        #expect(list.output.split(separator: "\n").count == 1)
        #expect(list.output.contains("waiting for the person"))
        let verify = try folder.run("audit", "verify")
        #expect(verify.exitCode == 1)
        #expect(verify.output.contains(": another program wrote this row\n"))
    }

    @Test func `is found for a copied row`() async throws {
        let id = try await storePayments()[0]
        try folder.attack(
            """
            INSERT INTO authentications
            SELECT '00000000-0000-0000-0000-000000000000', 'x', made, NULL, awaited, due,
                result_due, live, call_due, sealed_key, sealed
            FROM authentications WHERE id = '\(id)'
            """
        )
        let list = try folder.run("challenge", "list")
        #expect(list.exitCode == 65 && list.output.contains(id))
        #expect(list.errorOutput.contains("authentication 00000000-0000-0000-0000-000000000000\n"))
        #expect(try folder.run("challenge", "show", id).exitCode == 0)
        let copy = try folder.run("challenge", "show", "00000000-0000-0000-0000-000000000000")
        #expect(copy.exitCode == 65 && copy.output == "")
    }
}
