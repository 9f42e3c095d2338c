import Foundation
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import Transactions

@testable import ThreeDSIssuer

@Suite struct `countersign-acs rotate` {
    private let folder: CardFolder
    private let reference: String

    init() throws {
        folder = try CardFolder()
        reference = try folder.reference()
    }

    private var versions: [String] {
        get throws {
            try folder.acs.text("encryption").split(separator: "\n")
                .map { String($0.prefix { $0 != " " }) }
        }
    }

    /// The versions of the keys of all sealed values, read by another program.
    private var sealedVersions: String {
        get throws {
            try folder.value(
                """
                SELECT group_concat(DISTINCT hex(substr(value, 1, 5))) FROM (
                    SELECT sealed AS value FROM secrets UNION ALL SELECT sealed FROM cards
                    UNION ALL SELECT sealed FROM authentications
                    UNION ALL SELECT sealed_key FROM authentications WHERE sealed_key NOT NULL)
                """
            )
        }
    }

    private func removeKey(_ version: String) throws {
        let rest = try folder.acs.text("encryption").split(separator: "\n")
            .filter { !$0.hasPrefix(version + " ") }
        try folder.acs.write(rest.map { $0 + "\n" }.joined(), to: "encryption")
    }

    private func report(_ count: Int, _ version: Int, _ start: String = "Encrypted") -> String {
        """
        \(start) \(count) \(count == 1 ? "row" : "rows") with version \(version) of the encryption key.

        Next: back up \(folder.acs.path("encryption")). When you no longer need the earlier backups
        of the store, run countersign-acs rotate --remove-old-keys.

        """
    }

    @Test func `encrypts all rows with a new key`() async throws {
        let payments = try await StoredPayments(in: folder)
        let asked = try await payments.begin(1)
        try await payments.enter(asked, 1)
        await payments.close()
        #expect(try sealedVersions == "0100000001")
        let run = try folder.run("rotate")
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        #expect(run.output == report(8, 2))
        #expect(try versions == ["1", "2"])
        #expect(try sealedVersions == "0100000002")
        // No content needs the old key, and none has changed.
        try removeKey("1")
        #expect(try folder.run("card", "list").output.contains(reference))
        #expect(try folder.run("challenge", "show", asked).output.contains("person"))
        #expect(try folder.run("audit", "verify").output == "Verified: 3 records and 8 rows.\n")
        #expect(try folder.add().errorOutput.contains("the card exists: \(reference)"))
    }

    @Test func `does not disturb a node that runs`() async throws {
        let payments = try await StoredPayments(in: folder)
        let asked = try await payments.begin(1)
        try await payments.enter(asked, 1)
        #expect(try folder.run("rotate").output == report(8, 2))
        // The node reads the new key from the file, and writes the row with it.
        payments.approve(asked)
        try await payments.work()
        _ = try await payments.decide(2, isDelivered: true)
        await payments.close()
        #expect(try sealedVersions == "0100000002")
        try removeKey("1")
        #expect(try folder.run("challenge", "show", asked).output.contains("State\treported\n"))
        #expect(try folder.run("audit", "verify").output == "Verified: 9 records and 10 rows.\n")
    }

    @Test func `adds another key each time`() throws {
        for version in 2...4 {
            #expect(try folder.run("rotate").output == report(6, version))
        }
        #expect(try versions == ["1", "2", "3", "4"])
        #expect(try sealedVersions == "0100000004")
    }

    @Test func `continues after it added a key`() throws {
        for _ in 1...2 {
            let added = try folder.run("rotate", "--add-key")
            #expect(added.exitCode == 0)
            #expect(added.output.hasPrefix("Version 2 of the encryption key is in "))
        }
        #expect(try versions == ["1", "2"])
        #expect(try sealedVersions == "0100000001")
        #expect(try folder.run("rotate").output == report(6, 2))
        #expect(try versions == ["1", "2"])
    }

    @Test func `continues after it encrypted a part of the rows`() throws {
        let old = try folder.value("SELECT hex(sealed) FROM cards")
        #expect(try folder.run("rotate").exitCode == 0)
        // The row as a rotation that was killed before it leaves it.
        try folder.attack("UPDATE cards SET sealed = x'\(old)'")
        #expect(try sealedVersions.split(separator: ",").count == 2)
        let run = try folder.run("rotate")
        #expect(run.output == report(1, 2, "Completed the last rotation: encrypted"))
        #expect(try versions == ["1", "2"])
        #expect(try sealedVersions == "0100000002")
        #expect(try folder.run("card", "list").output.contains(reference))
    }

    private func load(_ count: Int) throws {
        let lines = (0..<count).map { index in
            "400000" + String(String(10_000_000_000 + index).dropFirst()) + ",bank/main/1\n"
        }
        try folder.acs.write("card,account\n" + lines.joined(), to: "cards.csv")
        let load = try folder.run("load", folder.acs.path("cards.csv"), "--no-check-digit")
        #expect(load.exitCode == 0, "\(load.errorOutput)")
    }

    @Test func `continues after it was killed`() throws {
        try load(3000)
        // It is killed when the file has the new key, before or after some of 17 transactions.
        let killed = try folder.acs.shell(
            """
            $PROGRAM rotate --config acs.json >/dev/null &
            until grep -q '^2 ' encryption; do :; done
            kill -9 $! || true
            wait $! || true
            """
        )
        #expect(killed.exitCode == 0, "\(killed.errorOutput)")
        let isComplete = try sealedVersions == "0100000002"
        #expect(try folder.run("rotate").exitCode == 0)
        #expect(try versions == (isComplete ? ["1", "2", "3"] : ["1", "2"]))
        #expect(try sealedVersions == (isComplete ? "0100000003" : "0100000002"))
        #expect(
            try folder.run("audit", "verify").output == "Verified: 3001 records and 3006 rows.\n"
        )
    }

    /// The first one is stopped between two of its transactions, until two others have ended.
    @Test func `names another rotation as the cause if it added a key`() throws {
        try load(12_000)
        let runs = try folder.acs.shell(
            """
            $PROGRAM rotate --config acs.json >/dev/null 2>first & first=$!
            trap 'kill -KILL $first 2>/dev/null || true' EXIT
            versions='SELECT count(DISTINCT substr(sealed, 2, 4)) FROM cards'
            query="BEGIN IMMEDIATE; $versions; ROLLBACK"
            while kill -STOP $first; do
                [ "$(sqlite3 -bail acs.db "$query" 2>/dev/null)" != 2 ] || break
                kill -CONT $first
            done
            $PROGRAM rotate --config acs.json
            $PROGRAM rotate --config acs.json
            kill -CONT $first
            code=0
            wait $first || code=$?
            cat first >&2
            exit $code
            """
        )
        #expect(runs.output.hasPrefix("Completed the last rotation: encrypted"))
        #expect(
            runs.output.contains("\nEncrypted 12006 rows with version 3 of the encryption key.\n")
        )
        #expect(runs.exitCode == 75)
        let cause = "another process added version 3 of the encryption key"
        #expect(runs.errorOutput.contains(cause), "\(runs.errorOutput)")
        #expect(try versions == ["1", "2", "3"])
        #expect(try folder.run("rotate").output == report(12_006, 4))
        #expect(try folder.run("audit", "verify").exitCode == 0)
    }

    @Test func `encrypts more rows than one transaction has`() throws {
        try load(450)
        #expect(try folder.run("rotate").output == report(456, 2))
        #expect(try sealedVersions == "0100000002")
        try removeKey("1")
        #expect(try folder.run("card", "list").output.split(separator: "\n").count == 451)
    }

    @Test func `names rows that another program wrote, and leaves them`() throws {
        let second = try folder.reference(CardFolder.others[0])
        try folder.attack(
            """
            UPDATE cards SET sealed = (SELECT sealed FROM cards WHERE reference = '\(second)')
            WHERE reference = '\(reference)'
            """
        )
        let run = try folder.run("rotate")
        #expect(run.exitCode == 1)
        #expect(run.output == "Encrypted 6 rows with version 2 of the encryption key.\n")
        #expect(
            run.errorOutput == """
                countersign-acs: 1 row not changed, because another program wrote it: \
                card \(reference)
                hint: countersign-acs audit verify lists the findings

                """
        )
        // The row does not prevent the next rotation.
        let next = try folder.run("rotate").output
        #expect(next == "Encrypted 6 rows with version 3 of the encryption key.\n")
    }

    @Test func `keeps the old keys for a row that another program changed`() throws {
        let account = try folder.value("SELECT hex(account) FROM cards")
        try folder.attack("UPDATE cards SET account = x'00'")
        #expect(try folder.run("rotate").exitCode == 1)
        let refused = try removeOldKeys()
        refused.expectFailure(
            1,
            "no key was removed: another program wrote 1 row under an old key: card \(reference)",
            hint: "remove or repair it first; --despite-forged-rows gives it up"
        )
        #expect(try versions == ["1", "2"])
        try folder.attack("UPDATE cards SET account = x'\(account)'")
        #expect(try removeOldKeys().exitCode == 0)
        #expect(try versions == ["2"])
        #expect(try folder.run("card", "list").output.contains("\(reference)\t7899\tactive"))
    }

    @Test func `gives up a row that another program wrote only if the operator wants it`() throws {
        try folder.attack("UPDATE cards SET account = x'00'")
        #expect(try folder.run("rotate").exitCode == 1)
        let needed = try folder.run("rotate", "--despite-forged-rows")
        #expect(needed.exitCode == 64)
        #expect(needed.errorOutput.contains("--despite-forged-rows needs --remove-old-keys"))
        let removed = try folder.run(
            "rotate",
            "--remove-old-keys",
            "--despite-forged-rows",
            "--yes"
        )
        #expect(removed.exitCode == 1)
        #expect(removed.errorOutput.contains("1 row not changed"))
        #expect(try versions == ["2"])
    }

    @Test func `names a row under a key that no file has, and encrypts the others`() throws {
        let second = try folder.reference(CardFolder.others[0])
        try folder.write(keyVersion: 99, intoCard: reference)
        let row = "card \(reference) (version 99 of the encryption key is missing)"
        let unchanged = "countersign-acs: 1 row not changed without its key: \(row)\n"
        let run = try folder.run("rotate")
        #expect(run.exitCode == 1)
        #expect(run.output == "Encrypted 6 rows with version 2 of the encryption key.\n")
        #expect(run.errorOutput.hasPrefix(unchanged), "\(run.errorOutput)")
        #expect(try removeOldKeys().errorOutput.contains("the file lacks the key of 1 row: \(row)"))
        #expect(try versions == ["1", "2"])
        let removed = try folder.run(
            "rotate",
            "--remove-old-keys",
            "--despite-forged-rows",
            "--yes"
        )
        #expect(removed.exitCode == 1 && removed.errorOutput.hasPrefix(unchanged))
        #expect(try versions == ["2"])
        #expect(try folder.run("card", "list").output.contains(second))
    }

    @Test func `changes nothing in a damaged store`() throws {
        try load(2000)
        #expect(try folder.run("rotate").exitCode == 0)
        let damage = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            pages = database.execute("PRAGMA page_count").fetchone()[0]
            database.close()
            with open(sys.argv[1], "r+b") as file:
                file.seek(4096 * (pages // 2))
                file.write(b"x" * 4096)
            """
        let run = try FinishedProcess.run("python3", ["-c", damage, folder.acs.path("acs.db")])
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        for options in [[], ["--remove-old-keys", "--yes"]] {
            let refused = try FinishedProcess.run(
                ACSFolder.program,
                ["rotate", "--config", folder.acs.configuration] + options
            )
            refused.expectFailure(
                65,
                "the store \(folder.acs.path("acs.db")) is damaged",
                hint: "stop the ACS, and replace the store with the last backup"
            )
            #expect(try versions == ["1", "2"])
        }
    }

    private func removeOldKeys() throws -> FinishedProcess {
        try folder.run("rotate", "--remove-old-keys", "--yes")
    }

    @Test func `removes the old keys after all rows are under the newest one`() throws {
        let old = try folder.value("SELECT hex(sealed) FROM cards")
        #expect(try folder.run("rotate").exitCode == 0)
        #expect(try folder.run("rotate").exitCode == 0)
        // A node that did not know the newest key could leave such a row.
        try folder.attack("UPDATE cards SET sealed = x'\(old)'")
        for _ in 1...2 {
            let removed = try removeOldKeys()
            #expect(
                removed.output == """
                    The file \(folder.acs.path("encryption")) now contains only version 3 of the \
                    encryption key.

                    Next: copy this file to all other nodes of the ACS.

                    """
            )
            #expect(removed.exitCode == 0, "\(removed.errorOutput)")
            #expect(try versions == ["3"])
        }
        #expect(try sealedVersions == "0100000003")
        #expect(try folder.run("card", "list").output.contains(reference))
        #expect(try folder.run("audit", "verify").exitCode == 0)
        #expect(try folder.run("rotate").output == report(6, 4))
        #expect(try versions == ["3", "4"])
    }

    @Test func `removes no key that a row needs`() throws {
        let old = try folder.value("SELECT hex(sealed) FROM cards")
        #expect(try folder.run("rotate").exitCode == 0)
        try removeKey("1")
        #expect(try folder.run("rotate").exitCode == 0)
        try folder.attack("UPDATE cards SET sealed = x'\(old)'")
        let refused = try removeOldKeys()
        let row = "card \(reference) (version 1 of the encryption key is missing)"
        refused.expectFailure(
            1,
            "no key was removed: the file lacks the key of 1 row: \(row)",
            hint: "add it from the backup of the keys, or remove it; "
                + "--despite-forged-rows gives it up"
        )
        #expect(try versions == ["2", "3"])
    }

    @Test func `names rows that another program wrote, also when it removes keys`() throws {
        try folder.attack("UPDATE cards SET sealed = x'01'")
        #expect(try folder.run("rotate").exitCode == 1)
        let removed = try removeOldKeys()
        #expect(removed.exitCode == 1)
        #expect(removed.errorOutput.contains("1 row not changed"))
        #expect(try versions == ["2"])
    }

    @Test func `removes keys only after a confirmation`() throws {
        try folder.run("rotate", "--remove-old-keys").expectFailure(
            64,
            "the command needs a confirmation, but has no terminal to ask for it",
            hint: "confirm with --yes"
        )
        #expect(try versions == ["1"])
        let session = try TerminalSession(
            [ACSFolder.program, "rotate", "--remove-old-keys", "--config"]
                + [folder.acs.configuration]
        )
        try session.wait(for: "Remove the old keys permanently?", typing: "n\n")
        #expect(try session.end() == 1)
        #expect(try versions == ["1"])
    }

    @Test func `lets no node write under an old key`() async throws {
        let payments = try await StoredPayments(in: folder)
        let asked = try await payments.begin(1)
        // The key file of this node is on another machine.
        let file = try folder.acs.text("encryption")
        #expect(try folder.run("rotate").exitCode == 0)
        let newFile = try folder.acs.text("encryption")
        try folder.acs.write(file, to: "encryption")
        await #expect(throws: (any Error).self) { try await payments.begin(2) }
        #expect(try sealedVersions == "0100000002")
        // The node goes on when it has the file.
        try folder.acs.write(newFile, to: "encryption")
        try await payments.enter(asked, 1)
        _ = try await payments.begin(3)
        await payments.close()
        #expect(try sealedVersions == "0100000002")
        #expect(try removeOldKeys().exitCode == 0)
        #expect(try folder.run("challenge", "show", asked).exitCode == 0)
    }

    @Test func `makes no row unreadable for a node that lacks the key`() async throws {
        let path = folder.acs.path("acs.db")
        let database = try SQLiteDatabase(path: path, migrations: IssuerSchema.migrations)
        // The key file of this node is on another machine.
        let keys = try KeyFile.encryptionKeys(in: .file(folder.acs.path("encryption")))
        let store = try await IssuerStore(database, under: KeyRing(keys))
        #expect(try folder.run("rotate").exitCode == 0)
        await #expect(throws: StoreFailure.outdatedKey(version: 1)) {
            try await database.read { connection throws(StoreFailure) in
                try store.cards(connection).cards(after: nil, limit: 10)
            }
        }
        await #expect(throws: StoreFailure.outdatedKey(version: 1)) {
            try await store.audit(at: .earliest)
        }
        await database.close()
    }

    @Test func `keeps the earlier keys for values`() throws {
        for number in 2...3 {
            let run = try folder.run("rotate", "--values")
            #expect(run.exitCode == 0)
            #expect(
                run.output == """
                    Key \(number) for authentication values is in the store.

                    Next: restart all nodes of the ACS.

                    """
            )
        }
        let names = "SELECT group_concat(name) FROM secrets WHERE name LIKE 'values.%'"
        #expect(try folder.value(names) == "values.1,values.2,values.3")
        #expect(try versions == ["1"])
        #expect(try folder.run("audit", "verify").exitCode == 0)
        #expect(try folder.run("rotate").output == report(8, 2))
    }

    @Test func `refuses options that do not fit, and keys of a descriptor`() throws {
        let both = try folder.run("rotate", "--values", "--add-key")
        #expect(both.exitCode == 64)
        #expect(both.errorOutput.contains("--add-key, --remove-old-keys and --values cannot"))
        let text = SampleConfiguration.replacing(#""encryption""#, with: #""descriptor:3""#)
        try folder.acs.write(text, to: "acs.json")
        let refused = try folder.acs.shell("$PROGRAM rotate --config acs.json 3<encryption")
        refused.expectFailure(
            64,
            "rotate needs encryptionKeys to be a file, not a descriptor",
            hint: "use a separate configuration that names the file"
        )
        let values = try folder.acs.shell("$PROGRAM rotate --values --config acs.json 3<encryption")
        #expect(values.exitCode == 0, "\(values.errorOutput)")
    }
}
