import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Damage to a verifier: each failure has a message and a hint.
@Suite struct `Failures of countersignd` {
    @Test(arguments: [
        ("rm FOLDER/store/countersign.db", 66, "does not exist"),
        ("rm FOLDER/journal/journal", 66, "the journal FOLDER/journal/journal does not exist"),
        ("rm FOLDER/keys/checkpoint", 66, "the key FOLDER/keys/checkpoint does not exist"),
        ("echo 7 > FOLDER/keys/encryption", 65, "FOLDER/keys/encryption is malformed in line 1"),
        ("truncate -s 0 FOLDER/keys/encryption", 65, "FOLDER/keys/encryption is empty"),
        (
            "chmod 644 FOLDER/journal/journal.head", 77,
            "other users can access FOLDER/journal/journal.head"
        ),
        (
            "cd FOLDER/journal; rm journal; mkdir -m 700 journal", 66,
            "FOLDER/journal/journal is not a regular file"
        ),
        (
            "cd FOLDER/keys; rm checkpoint; mkdir -m 700 checkpoint", 66,
            "FOLDER/keys/checkpoint is not a regular file"
        ),
        ("chmod 644 FOLDER/keys/encryption", 77, "other users can access FOLDER/keys/encryption"),
        (
            "chmod 644 FOLDER/store/countersign.db", 77,
            "other users can access the store FOLDER/store/countersign.db"
        ),
        ("chmod 777 FOLDER/store", 77, "other users can write to the folder of the store"),
        (
            "chmod 400 FOLDER/store/countersign.db", 77,
            "cannot open the store FOLDER/store/countersign.db for writing"
        ),
        ("ln FOLDER/keys/encryption FOLDER/k", 77, "FOLDER/keys/encryption has a second hard link"),
        ("mv FOLDER/keys/encryption FOLDER/k; ln -s ../k FOLDER/keys/encryption", 77, "is a symb"),
        ("echo other > FOLDER/store/countersign.db", 65, "is not a store of a verifier"),
        (
            "sqlite3 FOLDER/store/countersign.db 'PRAGMA user_version = 99'", 65,
            "a newer release made the store FOLDER/store/countersign.db, in version 99"
        ),
        (
            """
            sqlite3 FOLDER/store/countersign.db 'PRAGMA journal_mode = DELETE' >/dev/null
            umask 077; echo log > FOLDER/store/countersign.db-wal
            """, 65, "has a write-ahead log of another store"
        ),
        (
            "sed -i s/moment/m0ment/ FOLDER/journal/journal", 65,
            "line 1 of the journal FOLDER/journal/journal is damaged"
        ),
        ("cp FOLDER/keys/agreement FOLDER/keys/checkpoint", 65, "or signed by another key"),
    ])
    func `a failure has a message and a hint`(
        _ damage: String,
        exitCode: Int32,
        message: String
    ) throws {
        let premises = try Premises.initialized()
        let command = damage.replacing("FOLDER", with: premises.folder.path)
        let damaged = try FinishedProcess.run("sh", ["-c", command])
        try #require(damaged.exitCode == 0, "\(damaged.errorOutput)")
        let refused = try premises.countersignd("rotate")
        #expect(refused.exitCode == exitCode, "\(refused.errorOutput)")
        let expected = message.replacing("FOLDER", with: premises.folder.path)
        #expect(refused.errorOutput.contains(expected), "\(refused.errorOutput)")
        let lines = refused.errorOutput.split(separator: "\n")
        #expect(lines.count == 2 && lines.last?.hasPrefix("hint: ") == true)
        #expect(refused.output.isEmpty)
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `init reports a full disk and continues after space is freed`() throws {
        let premises = try Premises()
        let run = try SmallDisk.run(
            """
            cd "$1"
            mkdir -m 700 disk
            mount -t tmpfs -o size=100k,mode=700 tmpfs disk
            "$2" init --config disk/c.json || echo "ended with $?"
            find disk -type f
            mount -o remount,size=4m disk
            "$2" init --config disk/c.json >/dev/null
            "$2" audit verify --config disk/c.json
            """,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        #expect(run.exitCode == 0)
        #expect(
            run.errorOutput == """
                countersignd: the disk of the store disk/store/countersign.db is full \
                (SQLite result code 13)
                hint: free some space and repeat the command; no data was lost

                """
        )
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains("ended with 74"))
        #expect(!run.output.contains("incomplete"))
        #expect(lines.contains("Verified: 0 records, the store and the journal."))
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `a disk that is full at any file leaves no incomplete file`() throws {
        let premises = try Premises()
        let run = try SmallDisk.run(
            """
            cd "$1"
            mkdir -m 700 disk
            mount -t tmpfs -o size=4m,mode=700 tmpfs disk

            for room in 100 180 220 240 260 280 300 320 340 360 380 420 600; do
                mkdir -m 700 disk/v

                head -c $((4096 - room))k /dev/zero >disk/fill
                "$2" init --config disk/v/c.json >log 2>&1 || true

                rm disk/fill
                "$2" init --config disk/v/c.json >log 2>&1 || echo "$room: $(cat log)"

                "$2" audit verify --config disk/v/c.json
                rm -r disk/v
            done
            """,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("Verified: 0 ") } == 13)
        #expect(lines.count { $0.hasPrefix("Signatures cover") } == 13 && lines.count == 26)
    }

    @Test func `a machine that cannot lock memory is reported`() throws {
        let premises = try Premises.initialized()
        let program = BuiltProducts.path(of: "countersignd")
        let command = "ulimit -l 16 && exec \(program) rotate --config \(premises.configuration)"
        let refused = try FinishedProcess.run("sh", ["-c", command])
        #expect(refused.exitCode == 70)
        #expect(refused.errorOutput.contains("cannot lock memory for secrets"))
    }

    @Test func `SEC-27: no option takes a secret`() throws {
        let help = try FinishedProcess.run(BuiltProducts.path(of: "countersignd"), ["help"])
        #expect(help.exitCode == 0)
        for command in ["init", "rotate", "backup", "restore", "audit verify", "outbox retry"] {
            let words = command.split(separator: " ").map(String.init) + ["--help"]
            let page = try FinishedProcess.run(BuiltProducts.path(of: "countersignd"), words)
            #expect(page.exitCode == 0)
            // The file of a public key is not one.
            #expect(!page.output.contains(/--(password|secret|pin|key (?!FILE|checkpoint.pub))/))
        }
    }
}
