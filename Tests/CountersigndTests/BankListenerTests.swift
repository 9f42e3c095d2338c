import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The bank's API at a port of its own, with client certificates of openssl.
@Suite(.timeLimit(.minutes(5))) struct `The port of the bank's API` {
    private let premises: Premises
    private let header: String

    private static let enterprise = "/bank/v1/enterprises/bank"
    private static let versions = [["--tls-max", "1.2"], ["--tlsv1.3"]]

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 0)
        try premises.serve()
        header = "Authorization: Bearer \(try premises.token("core", "issuer"))"
    }

    private func path(_ name: Certificates.Name) throws -> String {
        try Certificates.shared.get().path(name)
    }

    /// A request for the enterprise, with a client certificate.
    private func fetch(
        _ verifier: RunningVerifier,
        _ certificate: Certificates.Name?,
        _ options: [String] = []
    ) throws -> Fetched {
        let shown = try certificate.map { ["--cert", try path($0)] } ?? []
        return try Fetching(
            "https://localhost:\(verifier.bankPort)\(Self.enterprise)",
            ["-H", header] + shown + options
        ).end()
    }

    private func privateCopy(_ name: Certificates.Name, mode: Int = 0o600) throws -> String {
        try premises.useCertificate(name, as: "shown.pem")
        let copy = premises.path("shown.pem")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: copy)
        return copy
    }

    /// A root with two issuing CAs, and a client of each.
    private static let chains = """
        cd "$0"
        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
        sign() {
            key "$1"
            openssl req -new -key "$1.key" -subj "/CN=$1" |
                openssl x509 -req -CA "$2.pem" -CAkey "$2.key" -days 9 -extfile "$3" -out "$1.pem"
        }
        echo "basicConstraints = critical, CA:TRUE" >ca
        echo "basicConstraints = CA:FALSE" >end

        key root
        openssl req -x509 -key root.key -subj /CN=root -days 9 -out root.pem

        for name in ours theirs; do
            sign "$name" root ca
            sign "$name-client" "$name" end
            cat "$name-client.pem" "$name.pem" "$name-client.key" >"$name-shown.pem"
        done
        """

    @Test(arguments: versions)
    func `an issuing CA can be named without its root`(_ version: [String]) throws {
        try premises.serveBank()
        let made = try FinishedProcess.run("sh", ["-euc", Self.chains, premises.folder.path])
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        func statuses() throws -> [Int] {
            let verifier = try RunningVerifier(premises)
            defer { #expect(verifier.stop() == 0) }
            return try ["ours", "theirs"].map { name in
                try fetch(verifier, nil, version + ["--cert", premises.path("\(name)-shown.pem")])
                    .status
            }
        }
        let file = URL(filePath: premises.path("clients.pem"))
        try premises.contents("ours.pem").write(to: file)
        #expect(try statuses() == [200, 0])
        try premises.contents("root.pem").write(to: file)
        #expect(try statuses() == [200, 200])
    }

    /// An attacker at the public port has a valid token.
    @Test func `the public port has no path of the bank's API`() throws {
        try premises.serveBank(to: nil)
        let verifier = try RunningVerifier(premises)
        let open = "https://localhost:\(verifier.port)"
        let bank = "https://localhost:\(verifier.bankPort)"
        let unknown = try Fetched(open + "/nothing", "-H", header)
        #expect(unknown.status == 404)
        #expect(unknown["resource"] == "path")
        let large = String(repeating: "x", count: 70_000)
        let file = try premises.folder.write(large, to: "large")
        let tooLarge = try Fetched(open + "/nothing", "-H", header, "-d@\(file)")
        for path in [
            "/bank", "/bank/", "/bank/v1/enterprises", Self.enterprise, Self.enterprise + "?x=1",
            Self.enterprise + "/accounts/main/4711", "/bank/v1/audit", "/BANK/v1/enterprises",
        ] {
            for method in ["-XGET", "-XPUT", "-XPATCH", "-XDELETE"] {
                #expect(try Fetched(open + path, "-H", header, method) == unknown, "\(path)")
            }
            #expect(try Fetched(open + path, "-H", header, "-d@\(file)") == tooLarge)
        }
        #expect(try Fetched(open + "/device/v1/status", "-XPOST").status == 401)
        #expect(try Fetched(bank + "/device/v1/status", "-XPOST").status == 404)
        #expect(try Fetched(bank + Self.enterprise).status == 401)
        #expect(try Fetched(bank + Self.enterprise, "-H", header).status == 200)
        for origin in [open, bank] {
            #expect(try Fetched(origin + "/openapi.json").status == 200)
            #expect(try Fetched(origin + "/metrics").status == 404)
        }
        #expect(verifier.stop() == 0)
    }

    @Test(arguments: versions)
    func `SEC-37: a token needs a client certificate of the right CA`(_ version: [String]) throws {
        try premises.serveBank()
        let verifier = try RunningVerifier(premises)
        #expect(try fetch(verifier, .client, version).status == 200)
        for name in [nil, Certificates.Name.expiredClient, .foreignClient, .foreign] {
            #expect(try fetch(verifier, name, version).status == 0)
        }
        let plain = "http://localhost:\(verifier.bankPort)\(Self.enterprise)"
        #expect(try Fetched(plain, "-H", header).status == 0)
        // Devices have no certificate.
        #expect(try Fetched("https://localhost:\(verifier.port)/openapi.json").status == 200)
        #expect(verifier.stop() == 0)
        let completed = verifier.logLines.filter { $0.contains(#""api":"bank""#) }
        #expect(completed.count == 1)
        #expect(completed.first?.contains(#""token":"core""#) == true)
    }

    /// A stranger connects as often as they can.
    @Test(arguments: versions)
    func `a refused certificate is counted, and the log has one line in a minute`(
        _ version: [String]
    ) throws {
        try premises.serveBank()
        let verifier = try RunningVerifier(premises)
        func isCounted(_ count: Int) throws -> Bool {
            let url = "http://127.0.0.1:\(verifier.operationPort)/metrics"
            let name = "countersign_client_certificates_refused_total"
            return try Fetched(url).body.contains("\n\(name) \(count)\n")
        }
        #expect(try isCounted(0))
        #expect(try fetch(verifier, .client, version).status == 200)
        #expect(try fetch(verifier, .expiredClient, version).status == 0)
        let line = try verifier.wait(for: #""message":"client certificate refused""#)
        #expect(
            line.contains(#""reason":"certificate has expired","client":"127.0.0.1","count":1"#)
        )
        for name in [nil, Certificates.Name.foreignClient, .foreign, nil] {
            #expect(try fetch(verifier, name, version).status == 0)
        }
        try spinUntil { try isCounted(5) }
        // Plain HTTP, and a client that leaves, have no certificate to refuse.
        let plain = "http://localhost:\(verifier.bankPort)\(Self.enterprise)"
        #expect(try Fetched(plain).status == 0)
        #expect(try isCounted(5))
        #expect(verifier.stop() == 0)
        let refusals = verifier.logLines.filter { $0.contains("client certificate refused") }
        #expect(refusals.count == 1)
    }

    @Test func `a signal reloads the CA, and an unusable file changes nothing`() throws {
        try premises.serveBank()
        let verifier = try RunningVerifier(premises)
        try premises.useCertificate(.otherAuthority, as: "clients.pem")
        #expect(try fetch(verifier, .client).status == 200)
        verifier.signal(SIGHUP)
        try verifier.wait(for: #""message":"certificates reloaded","endpoint":"bank""#)
        #expect(try fetch(verifier, .client).status == 0)
        #expect(try fetch(verifier, .foreignClient).status == 200)
        let metrics = try Fetched("http://127.0.0.1:\(verifier.operationPort)/metrics").body
        for file in ["bank.pem", "clients.pem"] {
            let gauge = "countersign_certificate_expiry_seconds{file=\"\(premises.path(file))\"}"
            #expect(metrics.contains(gauge))
        }
        try premises.write("none", to: "clients.pem")
        verifier.signal(SIGHUP)
        let line = try verifier.wait(for: #""message":"certificates not reloaded""#)
        #expect(line.contains(#""endpoint":"bank""#))
        #expect(line.contains("clients.pem"))
        #expect(try fetch(verifier, .foreignClient).status == 200)
        #expect(try fetch(verifier, .client).status == 0)
        #expect(verifier.stop() == 0)
    }

    @Test func `commands show a client certificate`() throws {
        try premises.serveBank()
        let verifier = try RunningVerifier(premises)
        try premises.write(String(header.dropFirst("Authorization: Bearer ".count)), to: "token")
        func list(_ options: String...) throws -> FinishedProcess {
            try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                [
                    "enterprise", "list", "--server", "https://localhost:\(verifier.bankPort)",
                    "--token", premises.path("token"), "--ca-certificates", try path(.authority),
                ] + options
            )
        }
        let shared = try list("--client-certificate", privateCopy(.client, mode: 0o644))
        #expect(shared.exitCode == 77)
        #expect(shared.errorOutput.contains("hint: run chmod 600 on it"))
        #expect(try list("--client-certificate", privateCopy(.client)).output == "bank\n")
        for name in [nil, Certificates.Name.foreignClient] {
            let refused =
                try name.map { try list("--client-certificate", privateCopy($0)) } ?? list()
            #expect([69, 75].contains(refused.exitCode), "\(refused.errorOutput)")
            #expect(refused.output == "")
        }
        let missing = try list("--client-certificate", premises.path("missing"))
        #expect(missing.exitCode == 66)
        #expect(missing.errorOutput.contains("--client-certificate"))
        #expect(verifier.stop() == 0)
    }

    @Test func `the doctor checks its certificates, its key and its CA`() throws {
        try premises.serveBank()
        func found() throws -> String {
            let authorities = try path(.authority)
            let run = try premises.countersignd(["doctor", "--ca-certificates", authorities])
            return run.output
        }
        let sound = try found()
        #expect(sound.contains("certificates: ok\n"), "\(sound)")
        for (name, file, problem) in [
            (Certificates.Name.expired, "bank.pem", "bank.pem has expired"),
            (.otherKey, "bank.pem", "bank.tls must name a certificate and its own key"),
            (.expiredClient, "clients.pem", "clients.pem has expired"),
            (.expiring, "clients.pem", "clients.pem expires in 9 days"),
        ] {
            let kept = try premises.contents(file)
            try premises.useCertificate(name, as: file)
            #expect(try found().contains(problem), "\(problem)")
            try kept.write(to: URL(filePath: premises.path(file)))
        }
        try premises.write("none", to: "clients.pem")
        #expect(try found().contains("clients.pem contains no certificate in PEM"))
        let refused = try premises.countersignd("run")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("check bank.tls.clientAuthorities"))
    }

    @Test func `plain HTTP is refused where other machines can connect`() throws {
        let listen = ["COUNTERSIGND_BANK_LISTEN": #"["0.0.0.0:0"]"#]
        let refused = try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["run", "--config", premises.configuration],
            environment: listen
        )
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("bank needs TLS"))
        #expect(refused.errorOutput.contains("set bank.tls, or listen only at 127.0.0.1"))
        // Behind a proxy on this machine.
        let verifier = try RunningVerifier(
            premises,
            environment: ["COUNTERSIGND_BANK_LISTEN": #"["127.0.0.1:0"]"#]
        )
        let url = "http://127.0.0.1:\(verifier.bankPort)\(Self.enterprise)"
        #expect(try Fetched(url, "-H", header).status == 200)
        #expect(verifier.stop() == 0)
    }
}
