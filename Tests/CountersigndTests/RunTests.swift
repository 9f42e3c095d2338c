import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `A running verifier` {
    private let premises: Premises

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill()
        try premises.serve()
    }

    private static let body = "POST /bank/v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n"

    @Test func `a token is accepted over TLS until it is revoked`() throws {
        let verifier = try RunningVerifier(premises)
        let origin = "https://localhost:\(verifier.port)"
        #expect(try Fetched(origin + "/openapi.json").body.contains("\"openapi\": \"3.1.0\""))
        let account = origin + "/bank/v1/enterprises/bank/accounts/main/4711"
        #expect(try Fetched(account).status == 401)
        // Created by another process.
        let header = "Authorization: Bearer \(try premises.token("core", "issuer"))"
        #expect(try Fetched(account, "-H", header).status == 200)
        #expect(try Fetched(account + "2", "-XPUT", "-H", header).status == 201)
        #expect(try Fetched(account, "-XDELETE", "-H", header).status == 405)
        #expect(try premises.countersignd("token", "revoke", "core", "--yes").exitCode == 0)
        #expect(try Fetched(account, "-H", header).status == 401)
        #expect(try Fetched(account, "-H", header, trusting: .otherAuthority).status == 0)
        #expect(verifier.stop() == 0)
    }

    @Test func `health checks are served only on their own port`() throws {
        let verifier = try RunningVerifier(premises)
        let api = "https://localhost:\(verifier.port)"
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        for path in ["/health/live", "/health/ready", "/metrics"] {
            #expect(try Fetched(operation + path).status == 200)
            #expect(try Fetched(api + path).status == 404)
        }
        #expect(try Fetched(operation + "/openapi.json").status == 404)
        let counts = try Fetched(operation + "/metrics").body
        #expect(counts.contains(#"{api="bank",route="unknown",outcome="notFound"} 3"#))
        #expect(counts.contains(#"countersign_deliveries{state="waiting"}"#))
        // Requests without a route are counted, too.
        let head = String(repeating: "a", count: 9000)
        #expect(try Fetched(api + "/", "-H", "A: \(head)").status == 431)
        let later = try Fetched(operation + "/metrics").body
        #expect(later.contains(#"route="unknown",outcome="headTooLarge"} 1"#))
        #expect(verifier.stop() == 0)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a graceful shutdown completes requests in progress`(_ signal: Int32) throws {
        try premises.write(try plainConfiguration(), to: "countersignd.json")
        let verifier = try RunningVerifier(premises)
        let client = try LoopbackSocket(.connected, to: verifier.port)
        try client.send(Self.body + "{")
        verifier.signal(signal)
        try verifier.wait(for: #""message":"stopping""#)
        // New connections are rejected.
        try spinUntil { (try? LoopbackSocket(.connected, to: verifier.port)) == nil }
        try client.send("}")
        #expect(client.remainingText().hasPrefix("HTTP/1.1 404 "))
        #expect(verifier.end() == 0)
        #expect(verifier.logLines.last?.contains(#""message":"stopped""#) == true)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `a second signal ends the process at once`(_ signal: Int32) throws {
        try premises.write(try plainConfiguration(), to: "countersignd.json")
        let verifier = try RunningVerifier(premises)
        let client = try LoopbackSocket(.connected, to: verifier.port)
        try client.send(Self.body + "{")
        verifier.signal(SIGTERM)
        try verifier.wait(for: #""message":"stopping""#)
        // SIGHUP does not end the process.
        verifier.signal(SIGHUP)
        verifier.signal(signal)
        #expect(client.remainingText() == "")
        #expect(verifier.end() == 130)
        #expect(verifier.logLines.last?.contains(#""message":"ended at once""#) == true)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `the shutdown is logged at every log level`() throws {
        try premises.write(try plainConfiguration(), to: "countersignd.json")
        let verifier = try RunningVerifier(
            premises,
            environment: ["COUNTERSIGND_LOG_LEVEL": "error"]
        )
        #expect(try Fetched("http://127.0.0.1:\(verifier.port)/openapi.json").status == 200)
        #expect(verifier.stop() == 0)
        let messages = verifier.logLines.compactMap { $0.firstMatch(of: /"message":"([^"]*)"/)?.1 }
        #expect(messages == ["listening", "stopping", "stopped"])
    }

    /// The initial file with free ports.
    private func plainConfiguration() throws -> String {
        let plain = try Premises.initialized()
        try plain.serve(with: nil)
        return String(decoding: try plain.contents("countersignd.json"), as: UTF8.self)
    }

    @Test func `the limit on open files is raised to its maximum`() throws {
        let limiting = ["sh", "-c", "ulimit -S -n 100; ulimit -H -n 4000; exec \"$@\"", "sh"]
        let verifier = try RunningVerifier(premises, by: limiting)
        #expect(try verifier.limits().contains(/Max open files +4000 +4000/))
        #expect(verifier.stop() == 0)
    }

    @Test func `no acknowledged change is lost after kill -9`() throws {
        let verifier = try RunningVerifier(premises)
        let header = "Authorization: Bearer \(try premises.token("core", "issuer"))"
        let path = "/bank/v1/enterprises/bank/accounts/main/new"
        let result = try Fetched("https://localhost:\(verifier.port)\(path)", "-XPUT", "-H", header)
        #expect(result.status == 201)
        verifier.signal(SIGKILL)
        #expect(verifier.end() == 128 + SIGKILL)
        let next = try RunningVerifier(premises)
        #expect(try Fetched("https://localhost:\(next.port)\(path)", "-H", header).status == 200)
        #expect(next.stop() == 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `SIGHUP reloads the certificate and keeps the old one if the new one is malformed`()
        throws
    {
        let verifier = try RunningVerifier(premises)
        let url = "https://localhost:\(verifier.port)/openapi.json"
        try premises.write("no certificate", to: "tls.pem")
        verifier.signal(SIGHUP)
        let line = try verifier.wait(for: #""message":"certificates not reloaded""#)
        #expect(line.contains(#""endpoint":"server","failure":"server: "#), "\(line)")
        #expect(try Fetched(url).status == 200)
        try premises.useCertificate(.foreign)
        verifier.signal(SIGHUP)
        try verifier.wait(for: #""message":"certificates reloaded""#)
        #expect(try Fetched(url).status == 0)
        #expect(try Fetched(url, trusting: .otherAuthority).status == 200)
        #expect(verifier.stop() == 0)
    }
}

@Suite struct `A verifier that cannot start` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.serve()
    }

    /// Ends the process if it starts.
    private func run(by launcher: [String] = []) throws -> FinishedProcess {
        let program = BuiltProducts.path(of: "countersignd")
        return try FinishedProcess.run(
            "timeout",
            ["20"] + launcher + [program, "run", "--config", premises.configuration]
        )
    }

    private func change(_ old: String, to new: String) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try #require(text.contains(old))
        try premises.write(text.replacing(old, with: new), to: "countersignd.json")
    }

    @Test(arguments: [
        (#""listen": ["127.0.0.1:0"],"#, #""listen": [],"#, 65, "server.listen is empty"),
        (#""127.0.0.1:0"]"#, #""localhost:0"]"#, 65, "is not an IP address"),
        (#""127.0.0.1:0"]"#, #""127.0.0.1"]"#, 65, "must contain IP addresses with ports"),
        (#""127.0.0.1:0"]"#, #""192.0.2.1:0"]"#, 75, "Cannot assign requested address"),
        (
            #""server": {"#, #""operation": {"listen": [], "#, 65,
            "the member operation.listen is repeated"
        ),
        ("https://localhost:1", "ftp://localhost", 65, "server.origin must be https://HOST"),
        (#""key": "tls.pem""#, #""key": "keys/other""#, 66, "cannot open the key"),
        (#""key": "tls.pem""#, #""key": "journal/journal""#, 65, "is not a key in PEM"),
        (#""certificate": "tls.pem""#, #""certificate": "x""#, 66, "cannot open the certificate"),
        (
            #""certificate": "tls.pem""#, #""certificate": "journal/journal""#, 65,
            "journal/journal is not a certificate in PEM"
        ),
        (
            #""tls": {"certificate": "tls.pem", "key""#, #""tls": {"kee""#, 65,
            "unknown member server.tls.kee"
        ),
    ])
    func `the reason is reported`(old: String, new: String, exitCode: Int32, message: String) throws
    {
        try change(old, to: new)
        let refused = try run()
        #expect(refused.exitCode == exitCode, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains("\nhint: ") || exitCode == 66)
    }

    @Test(arguments: ["0.0.0.0", "[::]"])
    func `plain HTTP is rejected beyond loopback`(_ host: String) throws {
        try premises.write(Configurations.plain(at: host), to: "countersignd.json")
        let refused = try run()
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("server needs TLS"))
        #expect(refused.errorOutput.contains("\nhint: set server.tls"))
    }

    @Test func `a port in use is named`() throws {
        let other = try LoopbackSocket(.listening)
        try change(#""listen": ["127.0.0.1:0"],"#, to: #""listen": ["127.0.0.1:\#(other.port)"],"#)
        let refused = try run()
        #expect(refused.exitCode == 75)
        #expect(
            refused.errorOutput == """
                countersignd: cannot listen at 127.0.0.1:\(other.port): Address already in use
                hint: another program uses the port; ss -ltnp shows which one

                """
        )
    }

    @Test func `a low limit on open files is named`() throws {
        let refused = try run(by: ["sh", "-c", #"ulimit -n 100 && exec "$@""#, "sh"])
        #expect(refused.exitCode == 70)
        #expect(
            refused.errorOutput == """
                countersignd: server needs a limit of at least 384 open files, not 100
                hint: raise `ulimit -n`, or LimitNOFILE= of the systemd unit

                """
        )
    }

    @Test(arguments: ["tls.pem", "keys/response", "keys/encryption", "store/countersign.db"])
    func `files that other users can access are rejected`(_ name: String) throws {
        try #require(chmod(premises.path(name), 0o644) == 0)
        let refused = try run()
        #expect(refused.exitCode == 77, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains("other users can access"))
    }

    @Test func `a configuration without a server is rejected`() throws {
        try premises.write(Configurations.withoutServer, to: "countersignd.json")
        let refused = try run()
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("the member server is missing"))
        // Commands without a server still work.
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }
}

private enum Configurations {
    private static let parts = """
        "store": {"sqlite": "store/countersign.db"}, "journal": "journal/journal",
        "encryptionKeys": "keys/encryption", "agreementKey": "keys/agreement",
        "responseKey": "keys/response", "checkpointKey": "keys/checkpoint"
        """

    static let withoutServer = "{\(parts)}"

    static func plain(at host: String) -> String {
        "{\(parts), \"server\": {\"origin\": \"https://a\", \"listen\": [\"\(host):0\"]}}"
    }
}
