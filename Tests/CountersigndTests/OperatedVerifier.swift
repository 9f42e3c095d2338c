import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// A verifier with TLS, commands for it, and the app of a person.
struct OperatedVerifier {
    /// The endpoint of a command, and whether a verifier is running.
    enum Way: String, CaseIterable {
        case store, storeAlone, server
    }

    let premises: Premises
    let origin: String
    let app: AuthenticationHandler
    let running: RunningVerifier
    private let way: Way

    static let account = "bank/main/4711"
    static let payment = """
        {"context":"payment","title":"Transfer","amounts":[{"currency":"EUR","minorUnits":4711}],
        "payees":[{"name":"Grocer","account":"DE89370400440532013000"}]}
        """

    /// Starts the verifier, directly or by another program that executes it.
    init(using way: Way, by opener: [String] = []) async throws {
        self.way = way
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        let port = try freePort()
        origin = "https://localhost:\(port)"
        try premises.serve(at: port)
        try premises.write(Self.payment, to: "payment.json")
        running = try RunningVerifier(premises, by: opener)
        app = try await premises.app(of: origin)
        guard way == .server else { return }
        for (name, role) in [("core", "issuer"), ("desk", "customerService")] {
            try premises.write(try premises.token(name, role) + "\n", to: name + ".token")
        }
    }

    /// Activates the person's app.
    func activate(_ id: String, _ code: String) async throws {
        let typed = Array(code.utf8)
        let server = try premises.trusted(at: origin)
        let activation = try Activation(id: id, code: typed.span, at: server)
        let verified = try await app.verifyActivation(activation)
        _ = try await app.setPIN(Premises.typedPIN(), for: verified)
    }

    static func wrongPIN() throws -> PIN {
        let digits = Array("271906".utf8)
        return try PIN(copying: digits.span)
    }

    /// The arguments with the endpoint, and with a token of the required role.
    func words(_ words: [String]) throws -> [String] {
        switch way {
        case .store, .storeAlone: return words + ["--config", premises.configuration]
        case .server:
            let support = ["unlock", "disable", "enable", "resync", "revoke"]
            let token = support.contains(words[0]) ? "desk.token" : "core.token"
            return words + [
                "--server", origin, "--token", premises.path(token), "--ca-certificates",
                try Certificates.shared.get().path(.authority),
            ]
        }
    }

    func run(_ words: String...) throws -> FinishedProcess {
        try FinishedProcess.run(BuiltProducts.path(of: "countersignd"), self.words(words))
    }

    /// The output of a successful command.
    func done(_ words: String...) throws -> String {
        let run = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            self.words(words)
        )
        #expect(run.exitCode == 0, "\(words): \(run.errorOutput)")
        #expect(run.errorOutput == "", "\(words)")
        return run.output
    }

    func resource(_ words: String...) throws -> JSONObject {
        let run = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            self.words(words + ["--json"])
        )
        #expect(run.exitCode == 0, "\(words): \(run.errorOutput)")
        return try JSONObject(run.output)
    }

    /// The only device of the account, and its user credential.
    func device() throws -> (device: JSONObject, credential: JSONObject) {
        let device = try #require(try resource("account", "show", Self.account)["devices", 0])
        let credentials = (0..<2).compactMap { device["credentials", $0] }
        return (device, try #require(credentials.first { $0.text("kind") == "user" }))
    }

    /// The ID of a new pending transaction.
    func newTransaction() throws -> String {
        let result = try resource(
            "transaction",
            "create",
            Self.account,
            premises.path("payment.json")
        )
        return try #require(result.text("id"))
    }

    func onTerminal(_ words: String...) throws -> TerminalSession {
        try TerminalSession([BuiltProducts.path(of: "countersignd")] + self.words(words))
    }
}

/// A JSON document, parsed by Foundation.
struct JSONObject {
    private let members: [String: Any]

    init(_ text: String) throws {
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8))
        members = try #require(read as? [String: Any], "\(text)")
    }

    private init(_ members: [String: Any]) { self.members = members }

    func text(_ name: String) -> String? { members[name].map { "\($0)" } }

    subscript(_ name: String) -> JSONObject? {
        (members[name] as? [String: Any]).map { JSONObject($0) }
    }

    subscript(_ name: String, _ index: Int) -> JSONObject? {
        guard let list = members[name] as? [[String: Any]], list.indices.contains(index) else {
            return nil
        }
        return JSONObject(list[index])
    }

    /// Of the doctor's report.
    func findings(in part: String) -> [JSONObject] {
        let findings = members["findings"] as? [[String: Any]] ?? []
        return findings.filter { $0["part"] as? String == part }.map { JSONObject($0) }
    }

    func count(of name: String) -> Int? { (members[name] as? [Any])?.count }
}
