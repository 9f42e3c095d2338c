import Foundation
import TestSupport
import Testing

@Suite struct `countersign-acs init` {
    @Test func `creates the configuration, the keys and a token`() throws {
        let folder = try ACSFolder()
        let created = try folder.run("init")
        #expect(created.exitCode == 0, "\(created.errorOutput)")
        let files = ["acs-keys/encryption", "acs-keys/issuer-token", "acs.db", "acs.json"]
        #expect(try folder.files() == files)
        for file in files { #expect(try folder.mode(file) == 0o600, "\(file)") }
        #expect(try folder.mode("acs-keys") == 0o700)
        #expect(try folder.text("acs-keys/encryption").contains(/^1 [0-9a-f]{64}\n$/))
        #expect(try folder.text("acs-keys/issuer-token").contains(/^[A-Za-z0-9_-]{43}\n$/))
        let lines = created.output.split(separator: "\n").prefix(4)
        #expect(lines.allSatisfy { $0.hasPrefix("created  ") }, "\(created.output)")
        // A file that the command writes is one that it reads.
        #expect(try folder.text("acs.json").contains(#""encryptionKeys": "acs-keys/encryption""#))
    }

    @Test func `creates another token and other keys in each folder`() throws {
        let folders = [try ACSFolder(), try ACSFolder()]
        for folder in folders { #expect(try folder.run("init").exitCode == 0) }
        for file in ["acs-keys/encryption", "acs-keys/issuer-token"] {
            #expect(try folders[0].text(file) != folders[1].text(file))
        }
    }

    @Test func `changes nothing the second time`() throws {
        let folder = try ACSFolder()
        #expect(try folder.run("init").exitCode == 0)
        let before = try folder.contents()
        let second = try folder.run("init")
        #expect(second.exitCode == 0)
        let lines = second.output.split(separator: "\n").prefix(4)
        #expect(lines.allSatisfy { $0.hasPrefix("found    ") }, "\(second.output)")
        #expect(try folder.contents() == before)
    }

    @Test func `completes an interrupted init, and removes its rest`() throws {
        let folder = try ACSFolder()
        #expect(try folder.run("init").exitCode == 0)
        let key = try folder.text("acs-keys/encryption")
        unlink(folder.path("acs-keys/issuer-token"))
        let leftovers = ["acs-keys/issuer-token.1a2b.incomplete", "acs.db.1a2b.incomplete-wal"]
        for name in leftovers { try folder.write("x", to: name) }
        #expect(try folder.run("init").exitCode == 0)
        let files = ["acs-keys/encryption", "acs-keys/issuer-token", "acs.db", "acs.json"]
        #expect(try folder.files() == files)
        #expect(try folder.text("acs-keys/encryption") == key)
    }

    @Test func `completes an interrupted store, and replaces no key of another one`() throws {
        let folder = try CardFolder()
        try folder.attack("DELETE FROM secrets")
        #expect(try folder.run("card", "list").exitCode == 65)
        #expect(try folder.run("init").exitCode == 0)
        let keys = "SELECT group_concat(hex(sealed)) FROM secrets"
        let made = try folder.value(keys)
        let reference = try folder.reference()
        #expect(try folder.run("init").exitCode == 0)
        #expect(try folder.value(keys) == made)
        // With new keys, the card would be unknown.
        try folder.attack("DELETE FROM secrets")
        let refused = try folder.run("init")
        #expect(refused.exitCode == 65 && refused.errorOutput.contains("is damaged"))
        #expect(try folder.value("SELECT count(*) FROM secrets") == "0")
        #expect(try folder.value("SELECT reference FROM cards") == reference)
    }

    @Test func `warns if it makes a store for keys that existed`() throws {
        let folder = try CardFolder()
        #expect(try folder.acs.shell("rm acs.db*").exitCode == 0)
        let made = try folder.run("init")
        #expect(made.exitCode == 0)
        #expect(made.output.contains("created  the store \(folder.acs.path("acs.db"))\n"))
        let warning =
            "acs.db is new and empty, but its keys existed: \(folder.acs.path("encryption"))\n"
        #expect(made.errorOutput.hasPrefix("warning: the store "), "\(made.errorOutput)")
        #expect(made.errorOutput.contains(warning), "\(made.errorOutput)")
        #expect(try folder.run("init").errorOutput == "")
    }

    @Test(arguments: [false, true])
    func `makes no store for keys that another store had changed`(_ removesOld: Bool) throws {
        let folder = try CardFolder()
        #expect(try folder.run("rotate").exitCode == 0)
        if removesOld {
            #expect(try folder.run("rotate", "--remove-old-keys", "--yes").exitCode == 0)
        }
        #expect(try folder.acs.shell("rm acs.db*").exitCode == 0)
        let before = try folder.acs.contents()
        let refused = try folder.run("init")
        #expect(refused.exitCode == 66)
        let failure = """
            countersign-acs: \(folder.acs.path("encryption")) has keys of an earlier store, but the \
            store \(folder.acs.path("acs.db")) does not exist

            """
        let hint = """
            hint: mount the disk of the store, or restore the backup; for a new ACS, move the file \
            of its keys away

            """
        #expect(refused.errorOutput == failure + hint)
        #expect(try folder.acs.contents() == before)
    }

    @Test func `refuses a store under another key`() throws {
        let folder = try CardFolder()
        unlink(folder.acs.path("encryption"))
        #expect(try folder.run("init").exitCode == 66)
        let other = try CardFolder()
        try folder.acs.write(try other.acs.text("encryption"), to: "encryption")
        #expect(try folder.run("init").exitCode == 65)
    }

    @Test func `creates no key for a store that lost its own`() throws {
        let folder = try ACSFolder()
        try folder.write("", to: "acs.db")
        let refused = try folder.run("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("the store exists, but its key"))
        #expect(try folder.files() == ["acs.db", "acs.json"])
    }

    @Test func `uses keys of an open descriptor`() throws {
        let text = SampleConfiguration.replacing(#""encryption""#, with: #""descriptor:3""#)
        let folder = try ACSFolder(configuration: text)
        let found = try folder.shell("$PROGRAM init --config acs.json 3<acs.json")
        #expect(found.output.contains("found    descriptor:3\n"), "\(found.errorOutput)")
        #expect(try folder.files() == ["acs.json", "issuer-token"])
        let closed = try folder.run("init")
        #expect(closed.exitCode == 66)
        #expect(
            closed.errorOutput.contains("descriptor:3, for the encryption keys, is not open")
        )
    }

    @Test func `does not follow a configuration that others can change`() throws {
        let folder = try ACSFolder()
        try folder.write(SampleConfiguration.text, to: "acs.json", mode: 0o666)
        let refused = try folder.run("init")
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.contains("other users can change"))
        #expect(try folder.files() == ["acs.json"])
    }

    @Test(.enabled("only root can use files of another user") { geteuid() == 0 })
    func `does not work as root with files of another user`() throws {
        let folder = try ACSFolder(configuration: SampleConfiguration.text)
        try folder.write("token", to: "verifier-token")
        #expect(chown(folder.path("verifier-token"), 1, 1) == 0)
        let refused = try folder.run("init")
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.contains("verifier-token belongs to "))
        #expect(refused.errorOutput.contains("\nhint: run this as "))
        #expect(try folder.files() == ["acs.json", "verifier-token"])
    }
}
