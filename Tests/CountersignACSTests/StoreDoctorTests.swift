import Foundation
import PrivateFiles
import Sealing
import Storage
import TestSupport
import Testing
import Transactions

@testable import ThreeDSIssuer

@Suite struct `countersign-acs doctor with a store` {
    private let folder: CardFolder

    /// Nothing listens at its verifier.
    init() throws {
        folder = try CardFolder(
            SampleConfiguration.replacing(
                "https://verifier.bank.example",
                with: "http://127.0.0.1:1"
            )
        )
        try DoctorFiles.make(in: folder.acs)
    }

    private func expect(_ problem: String, _ location: SourceLocation = #_sourceLocation) throws {
        let run = try folder.run("doctor")
        #expect(run.exitCode == 1, sourceLocation: location)
        let isNamed = run.output.contains("\nstore: \(problem)")
        #expect(isNamed, "\(run.output)", sourceLocation: location)
    }

    @Test func `counts results that were given up or wait`() async throws {
        let payments = try await StoredPayments(in: folder)
        _ = try folder.reference()
        _ = try await payments.decide(1, isDelivered: false)
        try expect("1 result waiting for the directory server for more than 10 minutes\n")
        payments.advance(seconds: 90_000)
        payments.set(isReachable: false)
        try await payments.work()
        await payments.close()
        try expect("1 result no longer sent, which the directory server did not acknowledge\n")
    }

    @Test func `counts events that were given up, and rows that cannot be read`() async throws {
        _ = try folder.reference()
        try await addEvent("a", due: .earliest)
        let waiting = try folder.run("doctor")
        #expect(waiting.output.contains("\nstore: ok\n"), "\(waiting.output)")
        try await addEvent("b", due: nil)
        try expect("1 event given up: the receiver did not accept it\n")
        try folder.attack("UPDATE notifications SET sealed = x'01'")
        let cause = "another program changed the store, or a key is missing\n"
        try expect("2 rows cannot be read: \(cause)")
    }

    private func addEvent(_ authentication: String, due: Timestamp?) async throws {
        let database = try SQLiteDatabase(
            path: folder.acs.path("acs.db"),
            migrations: IssuerSchema.migrations
        )
        let path = folder.acs.path("encryption")
        let keys = try KeyFile.encryptionKeys(in: .file(path))
        let store = try await IssuerStore(database, under: KeyRing(keys, readFrom: path))
        let event = StoredEvent(
            of: authentication,
            Array("{}".utf8),
            made: .earliest,
            due: due,
            started: .earliest,
            tries: 9
        )
        try await database.write { connection throws(StoreFailure) in
            try store.events(connection).add(event)
        }
        await database.close()
    }

    @Test func `finds rows that another program changed, and rows without a key`() throws {
        let reference = try folder.reference()
        try folder.write(keyVersion: 99, intoCard: reference)
        let cause = "another program changed the store, or a key is missing\n"
        try expect("1 row cannot be read: \(cause)")
        _ = try folder.reference(CardFolder.others[0])
        try folder.attack("UPDATE cards SET sealed = x'01' WHERE reference != '\(reference)'")
        try expect("2 rows cannot be read: \(cause)")
    }

    @Test func `finds keys that do not fit, and a missing store`() throws {
        let other = try CardFolder()
        try folder.acs.write(try other.acs.text("encryption"), to: "encryption")
        let run = try folder.run("doctor")
        #expect(run.exitCode == 1)
        let problem = "encryption keys: the encryption keys do not match the store "
        #expect(run.output.contains("\n\(problem)"), "\(run.output)")
        #expect(run.output.contains("  hint: put the key file of this store back"))
        #expect(run.output.contains("\nstore: not checked: the keys do not open it\n"))
        #expect(!run.output.contains("encryption keys: ok"))
        #expect(!run.output.contains("no card"))
        try folder.run("card", "list").expectFailure(
            65,
            "the encryption keys do not match the store \(folder.acs.path("acs.db")), or another "
                + "program changed it",
            hint: "put the key file of this store back, from the backup of the keys"
        )
        #expect(try folder.acs.shell("rm acs.db*").exitCode == 0)
        try expect("the store ")
    }

    @Test func `names the only secret that another program changed`() throws {
        try folder.attack("UPDATE secrets SET sealed = x'01' WHERE name = 'forms'")
        try expect("the row secret forms of the store ")
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `finds a full disk, without another process that has the store open`() throws {
        let run = try SmallDisk.run(
            """
            cd "$1"
            mkdir -m 700 disk
            mount -t tmpfs -o size=2m,mode=700 tmpfs disk
            cp -p acs.db disk

            sed 's|"acs.db"|"disk/acs.db"|' acs.json >full.json
            cat /dev/zero >disk/fill 2>errors || true

            "$2" card list --config full.json || echo "exit $?"
            "$2" doctor --config full.json || true
            """,
            folder.acs.path(""),
            ACSFolder.program
        )
        let full = "the disk of the store disk/acs.db is full (SQLite result code 4874)\n"
        let message = "countersign-acs: \(full)hint: free some space"
        #expect(run.errorOutput.hasPrefix(message), "\(run.errorOutput)")
        #expect(run.output.hasPrefix("exit 74\n"), "\(run.output)")
        #expect(run.output.contains("\nstore: \(full)"), "\(run.output)")
        let space = "\nstore: the disk of disk/acs.db has only 0 MiB left\n"
        #expect(run.output.contains(space), "\(run.output)")
    }

    @Test func `finds a damaged file`() throws {
        let checkpoint = "sqlite3 acs.db 'PRAGMA wal_checkpoint(TRUNCATE)'"
        #expect(try folder.acs.shell(checkpoint).exitCode == 0)
        let damage = """
            import sys
            with open(sys.argv[1], "r+b") as file:
                file.seek(4096 * 3)
                file.write(b"x" * 4096)
            """
        let run = try FinishedProcess.run("python3", ["-c", damage, folder.acs.path("acs.db")])
        try #require(run.exitCode == 0)
        try expect("the store \(folder.acs.path("acs.db")) is damaged")
    }
}
