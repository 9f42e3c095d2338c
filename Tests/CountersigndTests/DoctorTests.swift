import Foundation
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification

@Suite struct `countersignd doctor` {
    /// Without the clock.
    private static let otherParts = [
        "configuration", "keys", "store", "journal", "disk", "certificates", "server",
        "deliveries", "tokens",
    ]

    private let premises: Premises
    private let port: Int

    init() throws {
        premises = try Premises.initialized()
        port = try freePort()
        try premises.serve(at: port)
    }

    private func doctor(_ words: String...) throws -> FinishedProcess {
        let authorities = try Certificates.shared.get().path(.authority)
        return try premises.countersignd(["doctor", "--ca-certificates", authorities] + words)
    }

    @Test func `the doctor passes a running verifier and reports a stopped one`() throws {
        let running = try RunningVerifier(premises)
        let sound = try doctor()
        #expect(sound.exitCode == 0, "\(sound.output)")
        // The clock of this machine may not be synchronized.
        let passed = sound.output.split(separator: "\n").filter { $0.hasSuffix(": ok") }
        #expect(passed.filter { $0 != "clock: ok" } == Self.otherParts.map { "\($0): ok" })
        #expect(sound.output.contains(/clock: (ok|warning: the kernel .*)\n/))
        // With a health check.
        let address = "127.0.0.1:\(running.operationPort)"
        try replace("\"127.0.0.1:0\"", by: "\"\(address)\"")
        #expect(try premises.countersignd("doctor").exitCode == 0)
        // A server with an untrusted certificate.
        try replace("\"\(address)\"", by: "\"127.0.0.1:0\"")
        let untrusted = try premises.countersignd("doctor")
        #expect(untrusted.output.contains(" is not trusted\n"))
        try replace("\"127.0.0.1:0\"", by: "\"\(address)\"")
        #expect(running.stop() == 0)
        let alone = try premises.countersignd("doctor", "--json")
        #expect(alone.exitCode == 1)
        #expect(alone.errorOutput == "countersignd: found 1 problem\n")
        let report = try JSONObject(alone.output)
        let finding = try #require(report.findings(in: "server").first)
        #expect(finding.text("level") == "error")
        let problem = "cannot connect to http://\(address)/health/ready"
        #expect(finding.text("problem") == problem)
        #expect(finding.text("hint")?.contains("systemctl start countersignd") == true)
    }

    @Test func `SEC-114: doctor and run name a file of the web device that is not this build's`()
        throws
    {
        try replace("// \"web\": {},", by: "\"web\": {\"files\": \"nowhere\"},")
        // Which of the two depends on whether make web was run.
        let expected = /this build has no files of the web device|nowhere\/\S+ does not exist/
        let found = try doctor()
        #expect(found.exitCode == 1)
        let lines = found.output.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("configuration: ") })
        #expect(line.contains(expected), "\(line)")
        let run = try premises.countersignd("run")
        #expect([65, 66].contains(run.exitCode))
        #expect(run.errorOutput.contains(expected), "\(run.errorOutput)")
        #expect(run.errorOutput.contains("hint: "))
    }

    @Test(arguments: ["localhost:8443", "8443", "192.0.2.1:99999"])
    func `the doctor reports an address with which run does not start`(_ address: String) throws {
        try replace("\"127.0.0.1:\(port)\"", by: "\"\(address)\"")
        let (found, run) = (try doctor(), try premises.countersignd("run"))
        #expect(found.exitCode == run.exitCode || found.exitCode == 1)
        #expect(run.exitCode == 65)
        let message = try #require(run.errorOutput.split(separator: "\n").first)
        let problem = message.trimmingPrefix("countersignd: ")
        #expect((found.output + found.errorOutput).contains(problem), "\(found.output)")
    }

    @Test func `the doctor warns if there is no server`() throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let server = try #require(text.firstMatch(of: /(?s)\n  "server": \{.*?\n  \},?/))
        try premises.write(text.replacing(server.0, with: ""), to: "countersignd.json")
        let found = try doctor()
        #expect(found.output.contains("configuration: warning: the member server is missing"))
        #expect(try premises.countersignd("run").exitCode == 65)
    }

    /// Several problems at once: none hides another.
    @Test func `the doctor reports a problem and a hint for each part`() async throws {
        try premises.useCertificate(.otherHost)
        let columns = """
            (sequence, target, enterprise, account_type, account_id, subject, started, due, tries, state)
            """
        let rows =
            "(1, 1, 'bank', 'main', '4711', 's', 0, 0, 16, 2), "
            + "(3, 1, 'bank', 'main', '4711', 's', 0, 0, 1, 0)"
        #expect(try premises.sqlite3("INSERT INTO outbox \(columns) VALUES \(rows)") == "")
        try #require(chmod(premises.path("keys/response"), 0o644) == 0)
        try #require(chmod(premises.path("tls.pem"), 0o604) == 0)
        // One hour ago, and in one hour; the journal signs none of them.
        try await act(in: -3600) { verifier in
            _ = try await verifier.addEnterprise(bank, policy: "{}", by: .operatorCommand)
            _ = try await verifier.makeToken(
                named: BankTokenName(checked: "core"),
                for: .issuer,
                reaching: .all,
                lasting: .seconds(7 * 24 * 60 * 60),
                by: .operatorCommand
            )
        }
        try await act(in: 3600) { verifier in
            _ = try await verifier.addAccount(Premises.account, by: .operatorCommand)
        }
        let found = try doctor()
        #expect(found.exitCode == 1)
        for line in [
            "configuration: ok", "store: ok", "disk: ok",
            "keys: other users can access \(premises.path("keys/response")), "
                + "or it is an executable file",
            "  hint: run chmod 600 on it",
            "journal: the journal has no signature over the last 3 records since 60 min",
            "clock: the time of the store is 59 min ahead of this machine's clock",
            "certificates: other users can access the key \(premises.path("tls.pem"))",
            "server: cannot connect to https://localhost:\(port)/openapi.json",
            "deliveries: dead letters: 1",
            "  hint: list them with countersignd outbox list --dead; retry them with countersignd "
                + "outbox retry",
            "deliveries: deliveries that are late: 2",
            "tokens: the token core expires in 6 days",
        ] {
            #expect(found.output.contains(line + "\n"), "\(line) is not in\n\(found.output)")
        }
    }

    @Test(arguments: [
        ("expired", "has expired"), ("otherHost", "is not valid for localhost"),
        ("none", "contains no certificate in PEM"),
    ])
    func `expired and wrong certificates are reported`(_ name: String, _ problem: String) throws {
        if let name = Certificates.Name(rawValue: name) {
            try premises.useCertificate(name)
        } else {
            try premises.write("", to: "tls.pem")
        }
        let line = "certificates: \(premises.path("tls.pem")) \(problem)\n"
        let found = try doctor()
        #expect(found.output.contains(line), "\(found.output)")
        #expect(found.output.contains("hint: replace it, and send SIGHUP"))
    }

    @Test func `a certificate that OpenSSL rejects is reported, by run too`() throws {
        try premises.useCertificate(.weak)
        let problem = """
            server: \(premises.path("tls.pem")) has a certificate with a key that is too short, or \
            with a weak signature

            """
        let found = try doctor()
        #expect(found.output.contains("certificates: \(problem)"), "\(found.output)")
        let run = try premises.countersignd("run")
        #expect(run.exitCode == 65)
        #expect(run.errorOutput.contains(problem), "\(run.errorOutput)")
    }

    @Test func `keys, journals and stores of different verifiers are reported`() async throws {
        let other = try Premises.initialized()
        for (name, part, message) in [
            ("keys/encryption", "store", "do not match the store"),
            ("keys/checkpoint", "journal", "is damaged, or signed by another key"),
        ] {
            try premises.copy(name, to: "kept")
            let foreign = try other.contents(name)
            try foreign.write(to: URL(filePath: premises.path(name)))
            let found = try doctor()
            #expect(found.exitCode == 1)
            let lines = found.output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("\(part): ") && $0.contains(message) })
            try premises.contents("kept").write(to: URL(filePath: premises.path(name)))
        }
        try premises.write("{", to: "countersignd.json")
        let malformed = try doctor()
        #expect(malformed.exitCode == 1)
        #expect(malformed.output.hasPrefix("configuration: \(premises.configuration): line 1"))
        #expect(malformed.output.split(separator: "\n").count == 2)
    }

    /// Replaces the kernel's response about its clock.
    @Test(
        .enabled("strace is needed to replace the result of a system call") {
            try FinishedProcess.run("strace", ["-qq", "-o", "/dev/null", "true"]).exitCode == 0
        },
        arguments: [
            ("retval=0", "clock: ok\n"),
            (
                "retval=5",
                """
                clock: warning: the kernel reports that the clock is not synchronized
                  hint: synchronize it with NTP: run timedatectl set-ntp true, or install chrony

                """
            ),
            (
                "error=EPERM",
                """
                clock: warning: the kernel does not report whether the clock is synchronized: \
                Operation not permitted
                  hint: in a container, run timedatectl on its host

                """
            ),
        ]
    )
    func `a clock that is not synchronized is a warning`(
        _ result: String,
        _ text: String
    ) throws {
        let running = try RunningVerifier(premises)
        let authorities = try Certificates.shared.get().path(.authority)
        let calls = "adjtimex,clock_adjtime"
        let found = try FinishedProcess.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
                "inject=\(calls):\(result)", BuiltProducts.path(of: "countersignd"), "doctor",
                "--ca-certificates", authorities, "--config", premises.configuration,
            ]
        )
        #expect(found.exitCode == 0, "\(found.output)")
        #expect(found.output.contains(text), "\(found.output)")
        #expect(running.stop() == 0)
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `a disk that is nearly full is reported`() throws {
        let run = try SmallDisk.run(
            """
            cd "$1"
            mkdir -m 700 disk
            mount -t tmpfs -o size=8m,mode=700 tmpfs disk
            "$2" init --config disk/c.json >/dev/null
            "$2" doctor --config disk/c.json || true
            """,
            premises.folder.path,
            BuiltProducts.path(of: "countersignd")
        )
        #expect(
            run.output.contains(/disk: the disk of disk\/journal\/journal has only \d MiB left\n/)
        )
        #expect(
            run.output.contains(
                "hint: free some space: the verifier rejects requests that it cannot store\n"
            )
        )
    }

    private func replace(_ text: String, by other: String) throws {
        let configuration = String(
            decoding: try premises.contents("countersignd.json"),
            as: UTF8.self
        )
        try #require(configuration.contains(text))
        try premises.write(configuration.replacing(text, with: other), to: "countersignd.json")
    }

    private var bank: EnterpriseID { Premises.account.enterprise }

    /// Runs a verifier without a journal, whose clock has an offset.
    private func act(
        in seconds: Int,
        _ body: (Verifier) async throws -> Void
    ) async throws {
        let store = try SQLiteDatabase(path: premises.store, migrations: Schema.migrations)
        let clock = VerifierClock.system(notBefore: .earliest)
        let verifier = Verifier(
            database: store,
            keys: KeyRing(try premises.keys),
            agreementKey: try KeyFile.privateKey(in: .file(premises.path("keys/agreement"))),
            journal: nil,
            clock: VerifierClock { clock.now + .seconds(seconds) }
        )
        try await body(verifier)
        await store.close()
    }
}
