import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The configuration` {
    private static let keys = #"""
        "encryptionKeys": "e", "agreementKey": "a", "responseKey": "d", "checkpointKey": "c"
        """#
    private static let good =
        #"{"store": {"sqlite": "s.db"}, "journal": "j", \#(keys)}"#

    private static func with(_ member: some StringProtocol) -> String {
        good.dropLast() + ", \(member)}"
    }

    private static func server(_ member: String) -> String {
        #""server": {"origin": "https://a.example", "listen": ["127.0.0.1:0"], \#(member)}"#
    }

    private static func listening(at address: String, _ other: String) -> String {
        #""server": {"origin": "https://a.example", "listen": ["\#(address)"]}, \#(other)"#
    }

    private static func webhook(
        _ enterprise: String,
        _ topic: String,
        _ secrets: String = #""s""#
    ) -> String {
        #""webhooks": [{\#(member(enterprise, topic, secrets))}]"#
    }

    private static func member(
        _ enterprise: String,
        _ topic: String,
        _ secrets: String = #""s""#
    ) -> String {
        """
        "enterprise": "\(enterprise)", "events": "\(topic)", "url": "https://a.example",
        "secrets": [\(secrets)]
        """
    }

    @Test func `relative paths start at the folder of the file`() throws {
        let (premises, elsewhere) = (try Premises(), try TemporaryFolder())
        try premises.write(
            #"{"store": {"sqlite": "s.db"}, "journal": "\#(elsewhere.path)/j", \#(Self.keys)}"#,
            to: "countersignd.json"
        )
        #expect(try premises.countersignd("init").exitCode == 0)
        #expect(try premises.files() == ["a", "c", "countersignd.json", "d", "e", "s.db"])
        #expect(FileManager.default.fileExists(atPath: elsewhere.path + "/j"))
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test(arguments: [
        (#"{"store": {"sqlite": "s"}, "jurnal": "j"}"#, "unknown member jurnal"),
        (#"{"store": {"sqlit": "s"}}"#, "unknown member store.sqlit"),
        // "K" is canonically equivalent to the sign of the unit kelvin.
        (#"{"agreement\#u{212A}ey": "k", \#(keys)}"#, "unknown member agreement"),
        (#"{"agreement\#u{212A}ey": "k"}"#, "unknown member agreement"),
        (#"{"store": {"sqlite": "s"}, \#(keys)}"#, "the member journal is missing"),
        (#"{"store": {"sqlite": 1}, "journal": "j", \#(keys)}"#, "store.sqlite must be a string"),
        (#"{"store": {"sqlite": "s"}, "journal": "", \#(keys)}"#, "the member journal is empty"),
        (#"{"store": {}, "journal": "j", \#(keys)}"#, "must contain either sqlite or postgresql"),
        (
            #"{"store": {"sqlite": "s", "postgresql": "p"}, "journal": "j", \#(keys)}"#,
            "must contain either sqlite or postgresql"
        ),
        (#"{"store": {"sqlite": "s"}, "journal": "a", \#(keys)}"#, "two members name the same"),
        (
            #"{"store": {"sqlite": "s"}, "journal": "j", "journal": "j"}"#,
            "the member journal is repeated"
        ),
        (with(server(#""web": {"folder": "f"}"#)), "unknown member server.web.folder"),
        (with(server(#""web": true"#)), "the member server.web must be an object"),
        (with(server(#""web": {"files": ""}"#)), "the member server.web.files is empty"),
        (with(#""webhooks": [{"urls": "u"}]"#), "unknown member webhooks.urls"),
        (with(webhook("e v", "accounts")), "webhooks.enterprise is not the name"),
        (with(webhook("bank", "all")), "webhooks.events must be one of accounts, pushes"),
        (with(webhook("bank", "accounts", "")), "webhooks.secrets must name one or two files"),
        (
            with(webhook("bank", "accounts", #""""#)),
            "the member webhooks.secrets contains an empty string"
        ),
        (
            with(webhook("bank", "accounts").dropLast() + ",{\(member("bank", "accounts"))}]"),
            "two webhooks have the same enterprise and the same events"
        ),
        (
            with(listening(at: "0.0.0.0:8443", #""operation": {"listen": ["127.0.0.1:8443"]}"#)),
            "the members server.listen and operation.listen have the same address and port"
        ),
        (
            with(listening(at: "[::1]:8443", #""bank": {"listen": ["[::1]:8443"]}"#)),
            "the members server.listen and bank.listen have the same address and port: [::1]:8443"
        ),
        (with(#""push": {"perMinute": 0}"#), "push.perMinute must be between 1 and 1000000"),
        (with(#""push": {"fcm": {"key": "k"}}"#), "unknown member push.fcm.key"),
        (with(#""push": {"fcm": {}}"#), "push.fcm.serviceAccount is missing"),
        ("{\n\n,}", "line 3: not valid JSON"), ("", "line 1: the document ends too early"),
        ("[]", "the file must contain a JSON object"),
    ])
    func `unknown and malformed members are rejected`(text: String, message: String) throws {
        let premises = try Premises()
        try premises.write(text, to: "countersignd.json")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(try premises.files() == ["countersignd.json"])
    }

    @Test func `comments and trailing commas are accepted`() throws {
        let premises = try Premises()
        let text = Self.good.replacing("}", with: ",} // here\n").replacing("{", with: "/* so */ {")
        try premises.write(text, to: "countersignd.json")
        #expect(try premises.countersignd("init").exitCode == 0)
        try premises.write("/* one\ntwo */ {\n\"store\": //\n}", to: "countersignd.json")
        let refused = try premises.countersignd("audit", "verify")
        #expect(refused.errorOutput.contains("line 4: not valid JSON"))
    }

    @Test func `the help of init shows the initial file with the paths below /var/lib`() throws {
        let premises = try Premises.initialized()
        let written = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
            .replacing(/"(store|journal)\//) { "\"/var/lib/countersign/\($0.1)/" }
        let help = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["help", "init"]
        )
        for line in written.split(separator: "\n") { #expect(help.output.contains(line)) }
    }

    @Test(.enabled("root can read every file") { geteuid() != 0 })
    func `a file that cannot be read needs other permissions`() throws {
        let premises = try Premises()
        try premises.write(Self.good, to: "countersignd.json")
        try #require(chmod(premises.configuration, 0) == 0)
        let refused = try premises.countersignd("audit", "verify")
        #expect(refused.exitCode == 77)
        #expect(
            refused.errorOutput.contains("Permission denied\nhint: check the owner and the perm")
        )
    }

    @Test(arguments: [0o620, 0o602] as [mode_t])
    func `a file that other users can write to is rejected`(_ mode: mode_t) throws {
        let premises = try Premises()
        try premises.write(Self.good, to: "countersignd.json")
        try #require(chmod(premises.configuration, mode) == 0)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.contains("other users can change"))
    }

    @Test(arguments: [0o720, 0o702, 0o1777] as [mode_t])
    func `a file in a folder that other users can write to is rejected`(_ mode: mode_t) throws {
        let premises = try Premises()
        try premises.write(Self.good, to: "countersignd.json")
        let folder = premises.folder.path
        try #require(chmod(folder, mode) == 0)
        defer { chmod(folder, 0o700) }
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.contains("other users can replace"))
        #expect(refused.errorOutput.contains("chmod go-w"))
    }

    @Test(arguments: ["rotate", "backup x", "restore", "audit verify", "audit export"])
    func `every command except init needs the file`(_ command: String) throws {
        let premises = try Premises()
        let words = command.split(separator: " ").map(String.init)
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("hint: create it with countersignd init"))
        #expect(try premises.files() == [])
    }

    @Test func `a path below a file is rejected`() throws {
        let refused = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["audit", "verify", "--config", "/dev/null/countersignd.json"]
        )
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("Not a directory"))
    }

    @Test func `folders and devices are rejected`() throws {
        for path in ["/", "/dev/zero"] {
            let refused = try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                ["audit", "verify", "--config", path]
            )
            #expect(refused.exitCode == 66)
            #expect(refused.errorOutput == "countersignd: \(path) is not a regular file\n")
        }
    }
}
