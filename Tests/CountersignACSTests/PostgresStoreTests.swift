import Foundation
import Storage
import TestSupport
import Testing

@testable import ThreeDSIssuer

@Suite(
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `countersign-acs over PostgreSQL` {
    private let folder: CardFolder
    private let connection: String

    init() throws {
        connection = try PostgresServer.shared().makeDatabase()
        folder = try CardFolder(
            SampleConfiguration.replacing(
                #"{"sqlite": "acs.db"}"#,
                with: #"{"postgresql": "\#(connection)"}"#
            )
        )
    }

    private func attack(_ sql: String) throws {
        let output = try PostgresServer.psql(["--command=\(sql)"], in: connection)
        #expect(output == "")
    }

    @Test func `has the same commands`() throws {
        let reference = try folder.reference()
        try folder.add().expectFailure(
            1,
            "the card exists: \(reference), ending in 7899, of bank/main/4711"
        )
        try folder.acs.write(
            "card,account\n" + CardFolder.others.map { "\($0),bank/main/1\n" }.joined(),
            to: "cards.csv"
        )
        for counts in ["3 cards added, 0 unchanged", "0 cards added, 3 unchanged"] {
            let load = try folder.run("load", folder.acs.path("cards.csv"))
            #expect(load.output.hasSuffix("\(counts)\n"), "\(load.errorOutput)")
        }
        #expect(try folder.run("card", "block", reference).exitCode == 0)
        #expect(try folder.run("rotate", "--add-key").exitCode == 0)
        let rotated = try folder.run("rotate")
        #expect(rotated.output.hasPrefix("Encrypted 9 rows with version 2 of the encryption key."))
        #expect(try folder.run("rotate", "--values").exitCode == 0)
        #expect(try folder.run("audit", "verify").output == "Verified: 6 records and 10 rows.\n")
        let list = try folder.run("card", "list").output
        #expect(list.split(separator: "\n").count == 4)
        #expect(list.contains("\(reference)\t7899\tblocked\tbank/main/4711\n"))
        #expect(try folder.run("card", "remove", reference, "--yes").exitCode == 0)
        try folder.run("backup", folder.acs.path("copy.db")).expectFailure(
            64,
            "countersign-acs cannot back up a store in PostgreSQL",
            hint: "use pg_basebackup or pg_dump"
        )
    }

    @Test func `gets no key from a rotation, which the other nodes would lack`() throws {
        let file = try folder.acs.text("encryption")
        let nothing = """
            Nothing to do: all rows use version 1 of the encryption key.
            To start a rotation, run countersign-acs rotate --add-key.

            """
        for _ in 1...2 {
            let run = try folder.run("rotate")
            #expect(run.exitCode == 0 && run.output == nothing, "\(run.errorOutput)")
        }
        #expect(try folder.acs.text("encryption") == file)
        #expect(try folder.run("rotate", "--add-key").exitCode == 0)
        let report = "rows with version 2 of the encryption key."
        #expect(try folder.run("rotate").output.contains(report))
        let added = try folder.acs.text("encryption")
        #expect(try folder.run("rotate").output.hasPrefix("Nothing to do: all rows use version 2"))
        #expect(try folder.acs.text("encryption") == added)
    }

    /// Before the operator copies the key file to the other nodes.
    @Test func `is written under an added key only after a rotation`() throws {
        let file = try folder.acs.text("encryption")
        #expect(try folder.run("rotate", "--add-key").exitCode == 0)
        let both = try folder.acs.text("encryption")
        let reference = try folder.reference()
        #expect(try folder.run("rotate", "--values").exitCode == 0)
        try folder.acs.write(file, to: "encryption")
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 0 && list.output.hasPrefix(reference), "\(list.errorOutput)")
        #expect(try folder.run("audit", "verify").exitCode == 0)
        try folder.acs.write(both, to: "encryption")
        let rotated = try folder.run("rotate").output
        #expect(rotated.hasPrefix("Encrypted 7 rows with version 2"), "\(rotated)")
    }

    @Test func `init makes no key for a store that exists`() throws {
        _ = try folder.reference()
        let key = folder.acs.path("encryption")
        #expect(rename(key, key + ".kept") == 0)
        let refused = try folder.run("init")
        #expect(refused.exitCode == 66)
        let message = "the store exists, but its key \(key) does not\nhint: restore the key"
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(access(key, F_OK) != 0)
        #expect(rename(key + ".kept", key) == 0)
        #expect(try folder.run("init").exitCode == 0)
    }

    private func expectNoKey(_ exitCode: Int32, _ words: String) throws {
        let key = folder.acs.path("encryption")
        try #require(unlink(key) == 0)
        let refused = try folder.run("init")
        #expect(refused.exitCode == exitCode)
        #expect(refused.errorOutput.contains(words), "\(refused.errorOutput)")
        #expect(access(key, F_OK) != 0)
    }

    @Test func `init makes no key for a store of an earlier release`() throws {
        try attack(
            "SET client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public"
        )
        let migrations = Array(IssuerSchema.migrations.prefix(1))
        try PostgresDatabase.create(connection, migrations: migrations)
        try expectNoKey(66, ": the store exists, but its key ")
    }

    @Test func `init makes no key for a store of a newer release`() throws {
        try attack("UPDATE countersign_store SET version = 99")
        let words = ": a newer release made the store in PostgreSQL, in version 99\n"
        try expectNoKey(65, words)
    }

    @Test func `has the same rows of payments, also after a rotation of the key`() async throws {
        let reference = try folder.reference()
        let payments = try await StoredPayments(in: folder, over: connection)
        let asked = try await payments.begin(1)
        try await payments.enter(asked, 1)
        payments.advance(seconds: 1)
        let decided = try await payments.decide(2, isDelivered: true)
        payments.advance(seconds: 1)
        let sending = try await payments.decide(3, isDelivered: false)
        #expect(try folder.run("rotate", "--add-key").exitCode == 0)
        let rotated = try folder.run("rotate")
        #expect(rotated.output.hasPrefix("Encrypted 12 rows with version 2"), "\(rotated.output)")
        let kept = try folder.acs.text("encryption").split(separator: "\n").dropFirst()
        try folder.acs.write(kept.map { $0 + "\n" }.joined(), to: "encryption")
        let list = try folder.run("challenge", "list", "--all").output
        let found = list.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(Set(found) == [sending, decided, asked], "\(list)")
        #expect(try folder.run("challenge", "list").output.contains("\(sending)\t"))
        let audit = try folder.run("audit", "list", "--authentication", decided).output
        #expect(audit.contains("\treported\tRRes 01\n") && !audit.contains(sending))
        // The node goes on with the new key.
        payments.approve(asked)
        payments.set(isReachable: true)
        payments.advance(seconds: 10)
        try await payments.work()
        await payments.close()
        for id in [asked, decided, sending] {
            let shown = try folder.run("challenge", "show", id).output
            #expect(shown.contains("State\treported\n"), "\(shown)")
        }
        #expect(try folder.run("card", "list").output.contains(reference))
        let verified = try folder.run("audit", "verify")
        #expect(verified.output == "Verified: 13 records and 12 rows.\n", "\(verified.output)")
    }

    @Test func `is found by a second init, but not with another key`() throws {
        let again = try folder.run("init")
        #expect(again.exitCode == 0, "\(again.errorOutput)")
        #expect(again.output.contains("found    the store in PostgreSQL\n"))
        let other = try CardFolder()
        try folder.acs.write(try other.acs.text("encryption"), to: "encryption")
        let refused = try folder.run("init")
        #expect(refused.exitCode == 65)
        let message = "the encryption keys do not match the store in PostgreSQL"
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
    }

    @Test func `finds a content that was moved to another card`() throws {
        let first = try folder.reference(CardFolder.others[0])
        let second = try folder.reference(CardFolder.others[1])
        try attack(
            """
            UPDATE cards SET sealed = (SELECT sealed FROM cards WHERE reference = '\(second)')
            WHERE reference = '\(first)'
            """
        )
        let list = try folder.run("card", "list")
        #expect(list.exitCode == 65 && list.output.hasPrefix("\(second)\t"))
        #expect(list.errorOutput.contains(": 1 row cannot be read: card \(first)\n"))
        #expect(try folder.run("rotate", "--add-key").exitCode == 0)
        let rotated = try folder.run("rotate")
        #expect(rotated.exitCode == 1 && rotated.errorOutput.contains(": card \(first)\n"))
    }
}
