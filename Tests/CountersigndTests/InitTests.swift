import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `countersignd init` {
    /// In the order in which they are made.
    private static let parts = [
        "countersignd.json", "keys/encryption", "keys/agreement", "keys/answers",
        "store/countersign.db", "keys/checkpoint", "journal/journal",
    ]

    @Test func `makes a configuration and all that it names, for its owner alone`() throws {
        let premises = try Premises()
        let made = try premises.countersignd("init")
        #expect(made.exitCode == 0)
        #expect(made.errorOutput.isEmpty)
        #expect(try premises.files() == Self.parts.sorted())
        for name in ["keys", "store", "journal"] + Self.parts {
            let mode = try FinishedProcess.run("stat", ["-c", "%a", premises.path(name)]).output
            #expect(mode == (name.contains(/[.\/]/) ? "600\n" : "700\n"), "\(name)")
        }
    }

    @Test func `tells the fingerprint that another program computes of the agreement key`() throws {
        let premises = try Premises()
        let made = try premises.countersignd("init")
        let script = """
            import hashlib, sys
            from cryptography.hazmat.primitives.asymmetric import ec
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            key = ec.derive_private_key(int(open(sys.argv[1]).read(), 16), ec.SECP256R1())
            der = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
            print(hashlib.sha256(der).hexdigest()[:32])
            """
        let judge = try FinishedProcess.run(
            "python3",
            ["-c", script, premises.path("keys/agreement")]
        )
        try #require(judge.exitCode == 0, "\(judge.errorOutput)")
        #expect(made.output.contains("    \(judge.output)"))
    }

    @Test func `tells the public keys that apps trust, the next one among them`() throws {
        let premises = try Premises.made()
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try premises.write(
            text.replacing(
                "\"checkpointKey\"",
                with: "\"nextResponseKey\": \"next\",\"checkpointKey\""
            ),
            to: "countersignd.json"
        )
        let made = try premises.countersignd("init")
        #expect(made.exitCode == 0, "\(made.errorOutput)")
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
        let files = ["keys/agreement", "keys/answers", "next"].map(premises.path)
        let judge = try FinishedProcess.run("python3", ["-c", script] + files)
        try #require(judge.exitCode == 0, "\(judge.errorOutput)")
        let points = judge.output.split(separator: "\n")
        let names = ["agreementKey", "signingKey", "nextSigningKey"]
        for (name, point) in zip(names, points) {
            #expect(made.output.contains("\"\(name)\": \"\(point)\""), "\(name)")
        }
        #expect(points.count == 3)
    }

    @Test func `tells no key`() throws {
        let premises = try Premises()
        let made = try premises.countersignd("init")
        for name in Self.parts where name.hasPrefix("keys") {
            let text = String(decoding: try premises.contents(name), as: UTF8.self)
            let digits = try #require(text.split(whereSeparator: \.isWhitespace).last)
            #expect(digits.count == 64)
            #expect(!made.output.lowercased().contains(digits.prefix(16)))
        }
    }

    @Test func `repeated, finds all and changes nothing`() throws {
        let premises = try Premises.made()
        let before = try Self.parts.map { try premises.contents($0) }
        let again = try premises.countersignd("init")
        #expect(again.exitCode == 0)
        #expect(try Self.parts.map { try premises.contents($0) } == before)
        #expect(!again.output.contains("made"))
    }

    @Test(arguments: 1..<parts.count)
    func `that was stopped is completed by the next`(_ count: Int) throws {
        let premises = try Premises.made()
        for name in Self.parts.dropFirst(count).reversed() { try premises.remove(name) }
        let kept = Self.parts.prefix(count).filter { !$0.hasPrefix("store") }
        let before = try kept.map { try premises.contents($0) }
        let again = try premises.countersignd("init")
        #expect(again.exitCode == 0, "\(again.errorOutput)")
        #expect(try kept.map { try premises.contents($0) } == before)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test(arguments: 1...6)
    func `that was killed is completed by the next`(_ step: Int) throws {
        let premises = try Premises()
        let program = BuiltProducts.path(of: "countersignd")
        let command = [program, "init", "--config", premises.configuration]
        let delay = String(format: "%.3f", Double(step) * 0.012)
        _ = try FinishedProcess.run("timeout", ["-s", "KILL", delay] + command)
        let again = try premises.countersignd("init")
        #expect(again.exitCode == 0, "\(again.errorOutput)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test(arguments: parts)
    func `refuses what is there and is something else, and leaves it`(_ name: String) throws {
        let premises = try Premises()
        let folder = URL(filePath: premises.path(name)).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try premises.write("something else", to: name)
        let refused = try premises.countersignd("init")
        // What is made after the store says that there was one.
        let expected: Int32 = ["keys/checkpoint", "journal/journal"].contains(name) ? 66 : 65
        #expect(refused.exitCode == expected, "\(refused.errorOutput)")
        #expect(try premises.contents(name) == Data("something else".utf8))
        #expect(refused.errorOutput.contains("\nhint: "))
    }

    @Test(arguments: [[], ["journal/journal"], ["keys/checkpoint"]])
    func `makes no new store in the place of one that was lost`(_ others: [String]) async throws {
        let premises = try Premises.made()
        try await premises.fill()
        for name in others + ["store/countersign.db"] { try premises.remove(name) }
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("but the store that it was made for is not"))
        #expect(refused.errorOutput.contains("countersignd restore"))
        #expect(try !premises.files().contains("countersign.db"))
    }

    @Test func `makes no new key for a journal that is there`() throws {
        let premises = try Premises.made()
        try premises.remove("keys/checkpoint")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("which signs it, is not"))
        #expect(try !premises.files().contains("keys/checkpoint"))
    }

    @Test(arguments: ["keys/encryption", "keys/agreement", "keys/answers"])
    func `makes no new key for a store that is there`(_ key: String) throws {
        let premises = try Premises.made()
        try premises.remove(key)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("its key \(premises.path(key)) is not"))
        #expect(try !premises.files().contains(key))
    }

    @Test func `refuses a key that is another store's`() throws {
        let (premises, others) = (try Premises.made(), try Premises.made())
        try premises.write(
            String(decoding: try others.contents("keys/encryption"), as: UTF8.self),
            to: "keys/encryption"
        )
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("are not those of the store"))
    }

    @Test func `refuses a folder that others may write to`() throws {
        let premises = try Premises()
        try #require(chmod(premises.folder.path, 0o777) == 0)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 77)
        #expect(try premises.files() == [])
    }

    @Test func `begins no new journal for a store in use`() async throws {
        let premises = try Premises.made()
        try await premises.fill()
        try premises.remove("journal/journal")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 73)
        #expect(refused.errorOutput.contains("run countersignd restore --journal-lost"))
        #expect(try !premises.files().contains("journal/journal"))
    }

    @Test func `joins no SQLite file`() throws {
        let premises = try Premises.made()
        let refused = try premises.countersignd("init", "--join")
        #expect(refused.exitCode == 64)
        #expect(refused.errorOutput.contains("hint: a SQLite file has one verifier"))
    }
}
