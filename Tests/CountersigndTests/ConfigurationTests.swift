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
        "enterprise": "\(enterprise)", "tells": "\(topic)", "url": "https://a.example",
        "secrets": [\(secrets)]
        """
    }

    @Test func `puts relative paths beside itself, and takes absolute ones as they are`() throws {
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
        (#"{"store": {"sqlite": "s"}, "jurnal": "j"}"#, "the member jurnal is unknown"),
        (#"{"store": {"sqlit": "s"}}"#, "the member store.sqlit is unknown"),
        (#"{"store": {"sqlite": "s"}, \#(keys)}"#, "the member journal is missing"),
        (#"{"store": {"sqlite": 1}, "journal": "j", \#(keys)}"#, "store.sqlite has the wrong type or value"),
        (#"{"store": {"sqlite": "s"}, "journal": "", \#(keys)}"#, "the member journal is empty"),
        (#"{"store": {}, "journal": "j", \#(keys)}"#, "must hold either sqlite or postgresql"),
        (
            #"{"store": {"sqlite": "s", "postgresql": "p"}, "journal": "j", \#(keys)}"#,
            "must hold either sqlite or postgresql"
        ),
        (#"{"store": {"sqlite": "s"}, "journal": "a", \#(keys)}"#, "two members name the same"),
        (#"{"store": {"sqlite": "s"}, "journal": "j", "journal": "j"}"#, "is repeated"),
        (with(#""webhooks": [{"urls": "u"}]"#), "the member webhooks.urls is unknown"),
        (with(webhook("e v", "events")), "webhooks.enterprise is no name"),
        (with(webhook("bank", "all")), "webhooks.tells is neither events nor pushes"),
        (with(webhook("bank", "events", "")), "webhooks.secrets must name one file, or two"),
        (with(webhook("bank", "events", #""""#)), "the member webhooks.secrets is empty"),
        (
            with(webhook("bank", "events").dropLast() + ",{\(member("bank", "events"))}]"),
            "two webhooks tell the same of one enterprise"
        ),
        (with(#""push": {"perMinute": 0}"#), "push.perMinute is not from 1 to 1000000"),
        (with(#""push": {"fcm": {"key": "k"}}"#), "the member push.fcm.key is unknown"),
        (with(#""push": {"fcm": {}}"#), "push.fcm.serviceAccount is missing"),
        ("{\n\n,}", "line 3: not valid JSON"), ("", "line 1: the document ends too early"),
        ("[]", "the document has the wrong type or value"),
    ])
    func `is refused where anything in it is not known`(text: String, message: String) throws {
        let premises = try Premises()
        try premises.write(text, to: "countersignd.json")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(try premises.files() == ["countersignd.json"])
    }

    @Test func `may hold comments, and a comma at an end`() throws {
        let premises = try Premises()
        let text = Self.good.replacing("}", with: ",} // here\n").replacing("{", with: "/* so */ {")
        try premises.write(text, to: "countersignd.json")
        #expect(try premises.countersignd("init").exitCode == 0)
        try premises.write("/* one\ntwo */ {\n\"store\": //\n}", to: "countersignd.json")
        let refused = try premises.countersignd("audit", "verify")
        #expect(refused.errorOutput.contains("line 4: not valid JSON"))
    }

    @Test func `of init is shown by its help, and read as it is`() throws {
        let premises = try Premises.made()
        let written = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let help = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["help", "init"]
        )
        for line in written.split(separator: "\n") { #expect(help.output.contains(line)) }
    }

    @Test(arguments: [0o620, 0o602] as [mode_t])
    func `is refused where others may write to it`(_ mode: mode_t) throws {
        let premises = try Premises()
        try premises.write(Self.good, to: "countersignd.json")
        try #require(chmod(premises.configuration, mode) == 0)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.contains("other users can change"))
    }

    @Test(arguments: ["rotate", "backup x", "restore", "audit verify", "audit export"])
    func `must be there for every command but init`(_ command: String) throws {
        let premises = try Premises()
        let words = command.split(separator: " ").map(String.init)
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("hint: countersignd init makes it"))
        #expect(try premises.files() == [])
    }

    @Test func `is not there where a file stands in the place of its folder`() throws {
        let refused = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["audit", "verify", "--config", "/dev/null/countersignd.json"]
        )
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("Not a directory"))
    }

    @Test func `may be a folder no more than a device`() throws {
        for path in ["/", "/dev/zero"] {
            let refused = try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                ["audit", "verify", "--config", path]
            )
            #expect(refused.exitCode == 66)
            #expect(refused.errorOutput == "countersignd: \(path) is no file\n")
        }
    }
}
