import Foundation
import ProgramTesting
import TestSupport
import Testing

/// `Examples/FirstApproval`, which uses only the library, with a real verifier.
@Suite struct `The example of an app` {
    private let premises: Premises
    private let origin: String

    init() throws {
        premises = try Premises.initialized()
        let port = try freePort()
        origin = "http://127.0.0.1:\(port)"
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try premises.write(
            text.replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)")
                .replacing("127.0.0.1:8081", with: "127.0.0.1:0"),
            to: "countersignd.json"
        )
        try premises.write("{}", to: "policy.json")
        let result = try premises.countersignd(
            "policy",
            "set",
            "bank",
            premises.path("policy.json"),
            "--new"
        )
        try #require(result.exitCode == 0, "\(result.errorOutput)")
    }

    private func app(_ words: [String], typing lines: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "FirstApproval"),
            words,
            input: Array(lines.map { $0 + "\n" }.joined().utf8),
            environment: ["no_proxy": "127.0.0.1"]
        )
    }

    /// The keys that `init` prints.
    private func key(_ name: String) throws -> String {
        let printed = try premises.countersignd("init").output
        let line = try #require(printed.firstMatch(of: Regex("\"\(name)\": \"([^\"]+)\"")))
        return String(try #require(line.output[1].substring))
    }

    private static let payment = """
        {"context":"payment","title":"Apples","amounts":[{"currency":"EUR","minorUnits":4711}],
        "payees":[{"name":"Grocer","account":"DE89370400440532013000"}]}
        """

    @Test(.timeLimit(.minutes(5)))
    func `the example approves one payment and rejects another`() throws {
        let verifier = try RunningVerifier(premises)
        let bank = try Backend(premises, origin).adding(account: "4711", at: "bank")
        let activation = try bank.post("/activations")
        let folder = premises.path("app")
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        let activated = try app(
            ["activate", folder, origin, key("agreementKey"), key("signingKey")],
            typing: activation["id"] ?? "",
            activation["code"] ?? "",
            "271905"
        )
        #expect(activated.output.hasSuffix("\nbank/main/4711: enrolled\n"), "\(activated)")
        #expect(try app(["approve", folder]).output == "Nothing is pending.\n")

        let apples = try bank.post("/transactions", Self.payment)
        let wrong = try app(["approve", folder], typing: "271906")
        #expect(wrong.exitCode == 1)
        let page =
            "Apples\nFor: bank/main/4711\nAmount: 47.11 EUR\nTo: \u{2068}Grocer\u{2069}\nTo account: "
        #expect(wrong.output.hasPrefix(page), "\(wrong)")
        #expect(try bank.get("/transactions/\(apples["id"] ?? "")")["state"] == "pending")
        let approved = try app(["approve", folder], typing: "271905")
        #expect(approved.output.hasSuffix("\nApproved.\n"), "\(approved)")
        #expect(try bank.get("/transactions/\(apples["id"] ?? "")")["state"] == "approved")

        let pears = try bank.post("/transactions", Self.payment)
        let silent = try app(["approve", folder])
        #expect(silent.exitCode == 1)
        #expect(silent.output.hasSuffix("\nThere is no input.\n"), "\(silent)")
        #expect(try bank.get("/transactions/\(pears["id"] ?? "")")["state"] == "pending")
        #expect(try app(["approve", folder], typing: "").output.hasSuffix("\nRejected.\n"))
        #expect(try bank.get("/transactions/\(pears["id"] ?? "")")["rejectedFor"] == "unspecified")
        #expect(verifier.stop() == 0)
    }
}
