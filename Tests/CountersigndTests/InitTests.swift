import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `countersignd init` {
    /// In the order of their creation.
    private static let parts = [
        "countersignd.json", "keys/encryption", "keys/agreement", "keys/response",
        "store/countersign.db", "keys/checkpoint", "journal/journal.head", "journal/journal",
    ]

    @Test func `init creates private files and folders`() throws {
        let premises = try Premises()
        let result = try premises.countersignd("init")
        #expect(result.exitCode == 0)
        #expect(result.errorOutput.isEmpty)
        #expect(try premises.files() == Self.parts.sorted())
        for name in ["keys", "store", "journal"] + Self.parts {
            let mode = try FinishedProcess.run("stat", ["-c", "%a", premises.path(name)]).output
            #expect(mode == (name.contains(/[.\/]/) ? "600\n" : "700\n"), "\(name)")
        }
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount other folders") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `the package prints the next commands, and init puts its data in /var/lib`() throws {
        let script = """
            mount -t tmpfs -o mode=755 tmpfs /etc
            mount -t tmpfs -o mode=755 tmpfs /var/lib
            mount -t tmpfs -o mode=755 tmpfs /run

            echo 'countersign:x:0:0::/:/bin/sh' >/etc/passwd
            echo 'countersign:x:0:' >/etc/group
            mkdir /run/bin
            ln -s /bin/true /run/bin/systemd-sysusers
            PATH=/run/bin:$PATH

            sh "$1" configure
            cd /etc/countersign
            "$2" init --config countersignd.json | grep created
            sh "$1" configure
            stat -c '%a %n' /etc/countersign /var/lib/countersign
            """
        let packaging = URL(filePath: #filePath).appending(path: "../../../Packaging").standardized
        let result = try SmallDisk.run(
            script,
            packaging.path + "/debian/countersign/postinst",
            BuiltProducts.path(of: "countersignd")
        )
        #expect(result.errorOutput == "")
        #expect(
            result.output == """
                To create a verifier and to start it, run:
                    sudo -u countersign countersignd init
                    sudo systemctl enable --now countersignd
                created  countersignd.json
                created  keys/encryption
                created  keys/agreement
                created  keys/response
                created  the store /var/lib/countersign/store/countersign.db
                created  keys/checkpoint
                created  /var/lib/countersign/journal/journal
                700 /etc/countersign
                700 /var/lib/countersign

                """
        )
    }

    @Test func `another program computes the same fingerprint of the agreement key`() throws {
        let premises = try Premises()
        let result = try premises.countersignd("init")
        let script = """
            import hashlib, sys
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            key = ec.derive_private_key(int(open(sys.argv[1]).read(), 16), ec.SECP256R1())
            der = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
            print(hashlib.sha256(der).hexdigest()[:32])
            """
        let checker = try FinishedProcess.run(
            "python3",
            ["-c", script, premises.path("keys/agreement")]
        )
        try #require(checker.exitCode == 0, "\(checker.errorOutput)")
        #expect(result.output.contains("    \(checker.output)"))
    }

    @Test func `init creates the key for push services of browsers, also later`() throws {
        let premises = try Premises.initialized()
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        // Its sample is a comment.
        let web = #""web": {"key": "keys/push", "contact": "https://bank.example/security"},"#
        #expect(text.contains("// " + web))
        try premises.write(text.replacing("// " + web, with: web), to: "countersignd.json")
        let path = premises.path("keys/push")
        for first in ["created", "found  "] {
            let result = try premises.countersignd("init")
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output.contains("\(first)  \(path)\n"))
        }
        #expect(try premises.files().contains("keys/push"))
    }

    @Test func `init prints the public keys, including the next one`() throws {
        let premises = try Premises.initialized()
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try premises.write(
            text.replacing(
                "\"checkpointKey\"",
                with: "\"nextResponseKey\": \"next\",\"checkpointKey\""
            ),
            to: "countersignd.json"
        )
        let result = try premises.countersignd("init")
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let script = """
            import base64, sys
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            for file in sys.argv[1:]:
                key = ec.derive_private_key(int(open(file).read(), 16), ec.SECP256R1())
                point = key.public_key().public_bytes(
                    Encoding.X962, PublicFormat.UncompressedPoint)
                print(base64.urlsafe_b64encode(point).decode().rstrip("="))
            """
        let files = ["keys/agreement", "keys/response", "next"].map(premises.path)
        let checker = try FinishedProcess.run("python3", ["-c", script] + files)
        try #require(checker.exitCode == 0, "\(checker.errorOutput)")
        let points = checker.output.split(separator: "\n")
        let names = ["agreementKey", "signingKey", "nextSigningKey"]
        for (name, point) in zip(names, points) {
            #expect(result.output.contains("\"\(name)\": \"\(point)\""), "\(name)")
        }
        #expect(points.count == 3)
    }

    @Test func `init prints no private key`() throws {
        let premises = try Premises()
        let result = try premises.countersignd("init")
        for name in Self.parts where name.hasPrefix("keys") {
            let text = String(decoding: try premises.contents(name), as: UTF8.self)
            let digits = try #require(text.split(whereSeparator: \.isWhitespace).last)
            #expect(digits.count == 64)
            #expect(!result.output.lowercased().contains(digits.prefix(16)))
        }
    }

    @Test func `a repeated init changes nothing`() throws {
        let premises = try Premises.initialized()
        let before = try Self.parts.map { try premises.contents($0) }
        let again = try premises.countersignd("init")
        #expect(again.exitCode == 0)
        #expect(try Self.parts.map { try premises.contents($0) } == before)
        #expect(!again.output.contains("created  "))
    }

    @Test(arguments: 1..<parts.count)
    func `an interrupted init is completed by the next one`(_ count: Int) throws {
        let premises = try Premises.initialized()
        for name in Self.parts.dropFirst(count).reversed() { try premises.remove(name) }
        let kept = Self.parts.prefix(count).filter { !$0.hasPrefix("store") }
        let before = try kept.map { try premises.contents($0) }
        let again = try premises.countersignd("init")
        #expect(again.exitCode == 0, "\(again.errorOutput)")
        #expect(try kept.map { try premises.contents($0) } == before)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    /// Kills each `init` at another system call that changes files, until one completes.
    @Test(
        .killsAtSystemCalls,
        arguments: [
            ("mkdir", 3), ("write", 7), ("pwrite64", 80), ("ftruncate", 1), ("fsync", 7),
            ("fdatasync", 4), ("renameat2", 5), ("unlink", 1),
        ]
    )
    func `an init that is killed at any write is completed by the next one`(
        _ call: String,
        oneOf count: Int
    ) throws {
        for step in Proof.steps(from: 1, to: 1000, oneOf: count) {
            let premises = try Premises()
            guard try premises.kill("init", at: call, number: step) else {
                #expect(step > count, "init hardly calls \(call)")
                return
            }
            let again = try premises.countersignd("init")
            #expect(again.exitCode == 0, "step \(step): \(again.errorOutput)")
            #expect(try premises.files() == Self.parts.sorted(), "step \(step)")
            #expect(try premises.countersignd("audit", "verify").exitCode == 0, "step \(step)")
        }
        Issue.record("no init completed")
    }

    @Test func `two inits at the same time do not disturb each other`() throws {
        let premises = try Premises()
        let line = """
            for i in 1 2 3 4; do
                \(BuiltProducts.path(of: "countersignd")) init --config \(premises.configuration) &
            done
            wait
            """
        _ = try FinishedProcess.run("bash", ["-c", line])
        #expect(try premises.countersignd("init").exitCode == 0)
        #expect(try premises.files() == Self.parts.sorted())
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    /// An interrupted init can leave the file of the last head, so it is replaced.
    @Test(arguments: parts.filter { !$0.hasSuffix(".head") })
    func `init rejects other files and leaves them unchanged`(_ name: String) throws {
        let premises = try Premises()
        let folder = URL(filePath: premises.path(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try premises.write("something else", to: name)
        let refused = try premises.countersignd("init")
        // These files are created after the store, so the store was lost.
        let expected: Int32 = ["keys/checkpoint", "journal/journal"].contains(name) ? 66 : 65
        #expect(refused.exitCode == expected, "\(refused.errorOutput)")
        #expect(try premises.contents(name) == Data("something else".utf8))
        #expect(refused.errorOutput.contains("\nhint: "))
    }

    @Test(arguments: [[], ["journal/journal"], ["keys/checkpoint"]])
    func `init does not recreate a lost store`(_ others: [String]) async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        for name in others + ["store/countersign.db"] { try premises.remove(name) }
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("exists, but its store does not"))
        #expect(refused.errorOutput.contains("countersignd restore"))
        #expect(try !premises.files().contains("countersign.db"))
    }

    @Test func `init does not recreate the key of an existing journal`() throws {
        let premises = try Premises.initialized()
        try premises.remove("keys/checkpoint")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("which signs it, does not"))
        #expect(try !premises.files().contains("keys/checkpoint"))
    }

    @Test(arguments: ["keys/encryption", "keys/agreement", "keys/response"])
    func `init does not recreate a key of an existing store`(_ key: String) throws {
        let premises = try Premises.initialized()
        try premises.remove(key)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("its key \(premises.path(key)) does not"))
        #expect(try !premises.files().contains(key))
    }

    @Test func `init rejects the key of another store`() throws {
        let (premises, others) = (try Premises.initialized(), try Premises.initialized())
        try premises.write(
            String(decoding: try others.contents("keys/encryption"), as: UTF8.self),
            to: "keys/encryption"
        )
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("do not match the store"))
    }

    @Test func `init rejects a folder that other users can write to`() throws {
        let premises = try Premises()
        try #require(chmod(premises.folder.path, 0o777) == 0)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 77)
        #expect(try premises.files() == [])
    }

    @Test func `init creates no journal for a store in use`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        try premises.remove("journal/journal")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 73)
        #expect(refused.errorOutput.contains("run countersignd restore --journal-lost"))
        #expect(try !premises.files().contains("journal/journal"))
    }

    @Test func `init does not join a SQLite store`() throws {
        let premises = try Premises.initialized()
        let refused = try premises.countersignd("init", "--join")
        #expect(refused.exitCode == 64)
        #expect(refused.errorOutput.contains("hint: a SQLite store has one verifier"))
    }
}
