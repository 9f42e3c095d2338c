import Foundation
import ProgramTesting
import TestSupport
import Testing
import TransactionApproval
import Verification

@Suite struct `countersignd doctor` {
    private static let parts = [
        "configuration", "keys", "store", "journal", "clock", "disk", "certificates", "server",
        "deliveries", "tokens",
    ]

    private let premises: Premises
    private let port: Int

    init() throws {
        premises = try Premises.made()
        port = try freePort()
        try premises.serve(at: port)
    }

    private func doctor(_ words: String...) throws -> FinishedProcess {
        let authorities = try Certificates.made.get().path(.authority)
        return try premises.countersignd(["doctor", "--authorities", authorities] + words)
    }

    @Test func `finds a verifier in order that runs, and misses one that does not`() throws {
        let running = try RunningVerifier(premises)
        let sound = try doctor()
        #expect(sound.exitCode == 0, "\(sound.output)")
        #expect(sound.output == Self.parts.map { "\($0) in order\n" }.joined())
        // By its own word, where it is asked for that.
        let address = "127.0.0.1:\(running.operationPort)"
        try replace("\"127.0.0.1:0\"", by: "\"\(address)\"")
        #expect(try premises.countersignd("doctor").exitCode == 0)
        // One that answers, but that this machine has no reason to believe.
        try replace("\"\(address)\"", by: "\"127.0.0.1:0\"")
        let untrusted = try premises.countersignd("doctor")
        #expect(untrusted.output.contains("no certificate that this machine trusts\n"))
        try replace("\"127.0.0.1:0\"", by: "\"\(address)\"")
        #expect(running.stop() == 0)
        let alone = try premises.countersignd("doctor", "--json")
        #expect(alone.exitCode == 1)
        #expect(alone.errorOutput == "countersignd: there is something to do\n")
        let answer = try JSONObject(alone.output)
        #expect(answer.count(of: "inOrder") == Self.parts.count - 1)
        let finding = try #require(answer["findings", 0])
        #expect(finding.text("part") == "server")
        let event = "no verifier answers at http://\(address)/health/ready"
        #expect(finding.text("event") == event)
        #expect(finding.text("remedy")?.contains("systemctl start countersignd") == true)
    }

    /// All that is found in one look, since one fault is in the way of no other.
    @Test func `names what is wrong with each part, and what to do`() async throws {
        try premises.useCertificate(.otherHost)
        let columns = """
            (sequence, target, enterprise, account_type, account_id, subject, since, due, tries, state)
            """
        let rows =
            "(1, 1, 'bank', 'main', '4711', 's', 0, 0, 16, 2), "
            + "(3, 1, 'bank', 'main', '4711', 's', 0, 0, 1, 0)"
        #expect(try premises.sqlite3("INSERT INTO outbox \(columns) VALUES \(rows)") == "")
        try #require(chmod(premises.path("keys/answers"), 0o644) == 0)
        try #require(chmod(premises.path("tls.pem"), 0o604) == 0)
        // Of an hour ago, and of one to come; nobody signed any of them.
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
            "configuration in order", "store in order", "disk in order",
            "keys: \(premises.path("keys/answers")) is open to others, or marked as a program",
            "  hint: allow its owner alone to read and write it: chmod 600",
            "journal: the last 3 records are not signed in the journal, the oldest for 60 min",
            "clock: the store's time is 59 min ahead of this machine's clock",
            "certificates: the key \(premises.path("tls.pem")) is open to others",
            "server: no verifier answers at https://localhost:\(port)/openapi.json",
            "deliveries: 1 given up: nobody was told of that",
            "  hint: countersignd outbox list --dead shows them, and outbox retry tries again",
            "deliveries: 1 due for long, and nobody tells them",
            "tokens: the token core is good for 6 days more",
        ] {
            #expect(found.output.contains(line + "\n"), "\(line) is not in\n\(found.output)")
        }
    }

    @Test(arguments: [
        ("expired", "is good no more"), ("otherHost", "is not that of localhost"),
        ("none", "holds no certificate in PEM"),
    ])
    func `reads certificates`(_ name: String, _ fault: String) throws {
        if let name = Certificates.Name(rawValue: name) {
            try premises.useCertificate(name)
        } else {
            try premises.write("", to: "tls.pem")
        }
        let line = "certificates: \(premises.path("tls.pem")) \(fault)\n"
        let found = try doctor()
        #expect(found.output.contains(line), "\(found.output)")
        #expect(found.output.contains("hint: put the next one in its place, and send SIGHUP"))
    }

    @Test func `finds keys, a journal and a store that are not each other's`() async throws {
        let other = try Premises.made()
        for (name, part, message) in [
            ("keys/encryption", "store", "are not those of the store"),
            ("keys/checkpoint", "journal", "is damaged in line 1, or signed by another key"),
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

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `finds a disk that is nearly full`() throws {
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
        #expect(run.output.contains(/disk: the disk of disk\/journal\/journal has \d MiB left\n/))
        #expect(run.output.contains("hint: make space: what cannot be kept is not decided\n"))
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

    /// Has a verifier change something whose clock is elsewhere, and that has no journal.
    private func act(
        in seconds: Int,
        _ body: (Verifier) async throws -> Void
    ) async throws {
        let store = try SQLiteDatabase(path: premises.store, migrations: Schema.migrations)
        let clock = VerifierClock.system(notBefore: .earliest)
        let verifier = Verifier(
            database: store,
            keys: try premises.keys,
            agreementKey: try KeyFile.privateKey(in: .file(premises.path("keys/agreement"))),
            journal: nil,
            clock: VerifierClock { clock.now + .seconds(seconds) }
        )
        try await body(verifier)
        await store.close()
    }
}
