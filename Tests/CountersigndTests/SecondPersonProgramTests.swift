import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

/// Calls that need two tokens, at the built program.
@Suite(.timeLimit(.minutes(5))) struct `A verifier whose bank lists calls for two persons` {
    private let premises: Premises
    private let tokens: [String: String]

    private static let list = ["COUNTERSIGND_BANK_SECONDPERSON": #"["issueActivation"]"#]
    private static let path = "/bank/v1/enterprises/bank/accounts/main/4711/activations"

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        try premises.serve()
        var tokens: [String: String] = [:]
        for name in ["first", "second"] {
            tokens[name] = try premises.token(name, "issuer")
            try premises.write(try #require(tokens[name]), to: name)
        }
        self.tokens = tokens
    }

    private func issue(
        at verifier: RunningVerifier,
        as name: String,
        key: String,
        confirming id: String? = nil
    ) throws -> Fetched {
        let header =
            [
                "Authorization: Bearer \(try #require(tokens[name]))", "Idempotency-Key: \(key)",
                "Content-Type: application/json",
            ] + [id.map { "Confirms: \($0)" }].compactMap { $0 }
        return try Fetching(
            "https://localhost:\(verifier.port)\(Self.path)",
            ["-d{}"] + header.flatMap { ["-H", $0] }
        ).end()
    }

    /// Kills the verifier, and starts it again.
    private func restarted(_ verifier: RunningVerifier) throws -> RunningVerifier {
        verifier.signal(SIGKILL)
        #expect(verifier.end() != 0)
        return try RunningVerifier(premises, environment: Self.list)
    }

    @Test func `SEC-123: kill -9 loses neither call, and repeats no effect`() throws {
        var verifier = try RunningVerifier(premises, environment: Self.list)
        let requested = try issue(at: verifier, as: "first", key: "one")
        #expect(requested.status == 202)
        let id = try #require(requested["id"])
        verifier = try restarted(verifier)
        #expect(try issue(at: verifier, as: "first", key: "one")["id"] == id)
        let made = try issue(at: verifier, as: "second", key: "two", confirming: id)
        #expect(made.status == 201)
        verifier = try restarted(verifier)
        let again = try issue(at: verifier, as: "second", key: "two", confirming: id)
        #expect(again["id"] == made["id"])
        let other = try issue(at: verifier, as: "second", key: "three", confirming: id)
        #expect((other.status, other["code"]) == (412, "confirmationUsed"))
        #expect(verifier.stop() == 0)
        let trail = try premises.countersignd("audit", "report")
        #expect(trail.output.contains("call.confirmed"), "\(trail.output)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    private func create(
        at verifier: RunningVerifier,
        as name: String,
        _ options: String...
    ) throws -> FinishedProcess {
        let authority = try Certificates.shared.get().path(.authority)
        return try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            [
                "activation", "create", account, "--server", "https://localhost:\(verifier.port)",
                "--token", premises.path(name), "--ca-certificates", authority,
            ] + options
        )
    }

    @Test func `a command requests a call, and the command of a second person confirms it`() throws
    {
        let verifier = try RunningVerifier(premises, environment: Self.list)
        let requested = try create(at: verifier, as: "first")
        #expect(requested.exitCode == 1)
        #expect(requested.output == "")
        let hint = try #require(
            requested.errorOutput.firstMatch(of: /--confirms ([0-9a-f]{32}) to this command/)
        )
        let confirms = ["--confirms", String(hint.1)]
        let alone = try create(at: verifier, as: "first", confirms[0], confirms[1])
        #expect(alone.exitCode == 77)
        #expect(alone.errorOutput.contains("hint: use the token of a second person"))
        let made = try create(at: verifier, as: "second", confirms[0], confirms[1])
        #expect(made.exitCode == 0, "\(made.errorOutput)")
        let again = try create(at: verifier, as: "second", confirms[0], confirms[1])
        #expect(again.exitCode == 1)
        #expect(again.errorOutput.contains("was already confirmed"))
        #expect(verifier.stop() == 0)
    }

    @Test func `the command refuses a wrong id before it sends anything`() throws {
        let id = String(repeating: "0", count: 32)
        for (words, message) in [
            (["--confirms", id], "need --server"),
            (
                ["--server", "https://localhost", "--token", "x", "--confirms", "x"],
                "--confirms must be the id of a requested call"
            ),
        ] {
            let refused = try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                ["activation", "create", account] + words
            )
            #expect(refused.exitCode == 64)
            #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        }
    }

    @Test(
        arguments: [
            #"["listDevices"]"#, #"["unlock"]"#, #"["requestTransaction"]"#, #"[""]"#, #""x""#,
        ]
    )
    func `the list can only contain calls that change something`(_ list: String) throws {
        let refused = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["run", "--config", premises.configuration],
            environment: ["COUNTERSIGND_BANK_SECONDPERSON": list]
        )
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("the member bank.secondPerson"))
        if list != #"[""]"#, list != #""x""# {
            #expect(refused.errorOutput.contains("allowed: createEnterprise, setPolicy"))
        }
    }

    @Test func `bank.tls needs bank.listen`() throws {
        let refused = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["run", "--config", premises.configuration],
            environment: ["COUNTERSIGND_BANK_TLS_KEY": "key.pem"]
        )
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("bank.listen is missing"), "\(refused.errorOutput)")
    }
}
