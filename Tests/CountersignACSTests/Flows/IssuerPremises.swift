import Foundation
import PrivateFiles
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import ThreeDSIssuer
import ThreeDSProtocol

/// A verifier, an ACS and the peer of a card scheme, each in a process of its own.
final class IssuerPremises {
    static let card = "4000003918274651"

    let person: Person
    let peer: CardPaymentPeer
    let folder: ACSFolder
    let ports: Ports
    private var process: RunningServer?
    /// The store, as the member of the configuration.
    private let store: String
    /// The name of the key that signs `acsSignedContent`.
    private let signer: String
    private let launcher: [String]

    struct Ports {
        let directories: Int
        let challenges: Int
        let issuer: Int
        let operation: Int
    }

    /// With a card of an activated person; `changes` are members of the configuration.
    init(
        _ changes: String = "",
        at enterprise: String = "bank",
        of bank: Bank? = nil,
        storingIn store: String = #"{"sqlite": "acs.db"}"#,
        approvalSeconds: Int = 100,
        signingBy signer: String = "signing",
        files: [String: String] = [:],
        on machine: FaultyMachine? = nil
    ) throws {
        (self.store, self.signer) = (store, signer)
        launcher = try machine?.launcher() ?? []
        person = try Person.activated(at: enterprise, of: bank)
        peer = try CardPaymentPeer()
        folder = try ACSFolder()
        ports = Ports(
            directories: try freePort(),
            challenges: try freePort(),
            issuer: try freePort(),
            operation: try freePort()
        )
        try CardPaymentPeer.copyCertificates(to: folder.path("pki"))
        let started = try startPeer()
        let results = try #require(started.text("directory", "results"))
        let token = try person.bank.premises.token("cards-\(person.account)", "cards")
        try folder.write(token + "\n", to: "verifier-token")
        for (name, text) in files { try folder.write(text, to: name) }
        try folder.write(
            configuration(
                results: results,
                "\"approvalSeconds\": \(approvalSeconds),\(changes)",
                enterprise
            ),
            to: "acs.json"
        )
        let made = try folder.run("init")
        try #require(made.exitCode == 0, "\(made.errorOutput)")
        try addCard(Self.card, of: "\(enterprise)/main/\(person.account)")
        try start()
    }

    private func startPeer() throws -> CardPaymentPeer.Report {
        let pki = folder.path("pki")
        return try peer.run(
            "start",
            [
                "acs": [
                    "directories": "https://localhost:\(ports.directories)/3ds/authentication",
                    "challenges": "https://localhost:\(ports.challenges)",
                    "ca": "\(pki)/ca.pem",
                ],
                "client": ["certificate": "\(pki)/ds-client.pem", "key": "\(pki)/ds-client.key"],
                // Reserved, because the directory closes it and opens it again.
                "directory": [
                    "port": try freePort(),
                    "certificate": "\(pki)/ds-server.pem", "key": "\(pki)/ds-server.key",
                    "clientAuthorities": "\(pki)/ca.pem",
                ],
                "root": "\(pki)/ca.pem",
            ]
        )
    }

    private func configuration(
        results: String,
        _ changes: String,
        _ enterprise: String
    ) throws -> String {
        let authority = try Certificates.shared.get().path(.authority)
        return """
            {
                "store": \(store),
                "encryptionKeys": "encryption",
                "enterprise": "\(enterprise)",
                "verifier": {
                    "origin": "\(person.bank.origin)", "token": "verifier-token",
                    "authorities": "\(authority)"
                },
                "directories": [{
                    "rid": "A000000003",
                    "clients": "pki/ds-client.pem",
                    "results": "\(results)",
                    "authorities": "pki/ca.pem",
                    "certificate": "pki/acs-client.pem", "key": "pki/acs-client.key",
                    "signing": {
                        "key": "pki/\(signer).key", "certificates": "pki/\(signer).pem"
                    },
                    "ranges": ["4000000000000000-4000009999999999"]
                }],
                "server": {
                    "directories": {
                        "listen": ["127.0.0.1:\(ports.directories)"],
                        "tls": {
                            "certificate": "pki/acs-server.pem", "key": "pki/acs-server.key",
                            "clientAuthorities": "pki/ca.pem"
                        }
                    },
                    "challenges": {
                        "origin": "https://localhost:\(ports.challenges)",
                        "listen": ["127.0.0.1:\(ports.challenges)"],
                        "tls": {
                            "certificate": "pki/acs-server.pem", "key": "pki/acs-server.key"
                        }
                    },
                    "issuer": {"listen": ["127.0.0.1:\(ports.issuer)"], "token": "issuer-token"}
                },
                "operation": {"listen": ["127.0.0.1:\(ports.operation)"]},
                \(changes)
                "sandbox": true,
                "log": {"level": "debug"}
            }
            """
    }

    private func addCard(_ number: String, of account: String) throws {
        let run = try FinishedProcess.run(
            ACSFolder.program,
            ["card", "add", account, "--card-fd", "0", "--config", folder.configuration],
            input: Array((number + "\n").utf8)
        )
        try #require(run.exitCode == 0, "\(run.errorOutput)")
    }
}

// MARK: Person

extension IssuerPremises {
    /// The transaction that waits for the person.
    private func waiting() throws -> String {
        let pending = try person.countersign("pending", "--json")
        return String(try #require(pending.output.firstMatch(of: /"id":"([0-9a-f]{32})"/)?.1))
    }

    /// Approves the person's waiting payment, and returns what the terminal shows of it.
    @discardableResult
    func approve(_ options: String...) throws -> String {
        let id = try waiting()
        let shown = try person.countersign("show", id)
        let words = [id, "--yes", "--pin-fd", "0"] + options
        let approved = try person.countersign(["approve"] + words, typing: [Person.pin])
        try #require(approved.exitCode == 0, "\(approved.errorOutput)")
        return shown.output
    }

    /// Rejects the person's waiting payment.
    func reject(_ options: String...) throws {
        let rejected = try person.countersign(["reject", try waiting()] + options)
        try #require(rejected.exitCode == 0, "\(rejected.errorOutput)")
    }
}

// MARK: Process

extension IssuerPremises {
    func start(by launcher: [String] = []) throws {
        process = try RunningServer(acs: folder.configuration, by: self.launcher + launcher)
    }

    var isRunning: Bool { process?.isRunning ?? false }

    /// Ends the ACS at once, as a crash does.
    func crash() { process?.kill() }

    /// Has the ACS read its certificates again, and waits for a text in its log.
    func reload(until text: String) throws -> String {
        let process = try #require(process)
        process.signal(SIGHUP)
        return try process.wait(for: text)
    }

    /// Ends the ACS by a signal, and returns all lines of its log.
    func crash(by signal: Int32) throws -> [String] {
        let process = try #require(process)
        process.kill(by: signal)
        try process.readLog()
        return process.logLines
    }

    /// The file of the ACS in /proc.
    func processFile(_ name: String) throws -> Data {
        let id = try #require(process).processID
        return try Data(contentsOf: URL(filePath: "/proc/\(id)/\(name)"))
    }

    /// The challenge as the operator sees it, when it is as `isExpected`.
    func challenge(of purchase: Purchase, _ isExpected: (String) -> Bool) throws -> String {
        var shown = ""
        try spinUntil {
            shown = try folder.run("challenge", "show", purchase.acsTransID, "--json").output
            return isExpected(shown)
        }
        return shown
    }

    /// How often a text is in the writable memory of the ACS.
    func memoryPlaces(of text: String) throws -> Int {
        let id = try #require(process).processID
        let script = """
            import re, sys
            process, text = sys.argv[1], sys.stdin.read().encode()
            places = 0
            with open(f"/proc/{process}/mem", "rb", 0) as memory:
                for line in open(f"/proc/{process}/maps"):
                    part = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
                    if not part:
                        continue
                    start, end = (int(number, 16) for number in part.groups())
                    try:
                        memory.seek(start)
                        places += memory.read(end - start).count(text)
                    except (OSError, ValueError, OverflowError):
                        continue
            print(places)
            """
        let read = try FinishedProcess.run(
            "python3",
            ["-c", script, "\(id)"],
            input: Array(text.utf8)
        )
        return try #require(Int(read.output.trimmingCharacters(in: .newlines)))
    }

    /// Stops the ACS, and returns its exit status and all lines of its log.
    func stop() throws -> (exitCode: Int32, log: [String]) {
        let process = try #require(process)
        self.process = nil
        let exitCode = process.stop()
        try #require(process.logLines.contains { $0.contains(#""message":"stopped""#) })
        return (exitCode, process.logLines)
    }
}
