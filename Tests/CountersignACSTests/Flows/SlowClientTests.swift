import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers, .timeLimit(.minutes(5)))
struct `An ACS with intentionally slow clients` {
    private let premises: IssuerPremises

    init() throws { premises = try IssuerPremises() }

    /// Milliseconds on an idle machine; a message that waits for the attack takes ten seconds or longer.
    private static let longestMessage = 9.0

    @Test(.needsFullSpeed) func `completes purchases in time`() throws {
        // The timeouts of a body and of a response are longer. Over TLS, the clients need minutes to
        // fill the buffers of responses, so one listener of three is enough.
        let awaited =
            Proof.isComplete
            ? ["silent": 90, "head": 90, "body": 90, "deaf": 30] : ["silent": 30, "head": 30]
        let clients = try SlowClients(
            ["silent", "head", "body", "deaf"],
            of: premises,
            on: ["directories", "challenges", "issuer"],
            count: Proof.isComplete ? 30 : 10
        )
        var seconds: [Double] = []
        for _ in 0..<2 {
            let purchase = try Purchase(in: premises, cipher: "A128GCM")
            let page = try purchase.creq("show")
            try premises.approve()
            #expect(try purchase.result()["transStatus"] as? String == "Y")
            let end = try purchase.creq("continue")
            #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
            seconds += [page, end].compactMap { $0["seconds"] as? Double }
        }
        #expect(seconds.count == 4 && seconds.allSatisfy { $0 < Self.longestMessage }, "\(seconds)")
        // The ACS closes each connection after its time, and the clients come back.
        try spinUntil {
            let closed = try clients.closedConnections()
            return awaited.allSatisfy { closed[$0.key, default: 0] >= $0.value }
        }
        #expect(try Purchase(in: premises).creq("show").text("kind") == "CRes")
    }

    @Test func `frees the connections that were all taken`() throws {
        let purchase = try Purchase(in: premises)
        let operation = "http://127.0.0.1:\(premises.ports.operation)/health/ready"
        // More than the limits: 64 for operation, and 1000 of an address for challenges.
        var clients = [
            try SlowClients(["silent"], of: premises, on: ["operation"], count: 80),
            try SlowClients(["silent"], of: premises, on: ["challenges"], count: 1100),
        ]
        // Between two connections of a client, its place is free.
        try spinUntil { try Fetched(operation).status == 0 }
        try spinUntil { try purchase.creq("show").text("kind") == "unreachable" }
        for clients in clients { _ = try clients.closedConnections() }
        clients.removeAll()
        try spinUntil { try Fetched(operation).status == 200 }
        try spinUntil { try pageStatus(usesTLS: true) == 404 }
        // A machine under load may miss the deadline of the first purchase.
        #expect(try Purchase(in: premises).creq("show").text("kind") == "CRes")
    }

    private func status(with clientCount: Int, usesTLS: Bool) throws -> Int {
        let clients = try SlowClients(
            ["silent"],
            of: premises,
            on: ["challenges"],
            count: clientCount,
            usesTLS: usesTLS,
            returns: false
        )
        let status = try pageStatus(usesTLS: usesTLS)
        _ = try clients.closedConnections()
        return status
    }

    /// The status of a page without a challenge; 0 without a response.
    private func pageStatus(usesTLS: Bool) throws -> Int {
        let scheme = usesTLS ? "https" : "http"
        let page = "\(scheme)://localhost:\(premises.ports.challenges)/3ds/page/none"
        let authority = premises.folder.path("pki/ca.pem")
        return try Fetching(page, ["--cacert", authority]).end().status
    }

    private func restart(changing changes: [(old: String, new: String)]) throws {
        #expect(try premises.stop().exitCode == 0)
        var text = try premises.folder.text("acs.json")
        for (old, new) in changes {
            try #require(text.contains(old), "\(text)")
            text.replace(old, with: new)
        }
        try premises.folder.write(text, to: "acs.json")
        try premises.start()
    }

    @Test func `accepts as many connections of one address as the configuration states`() throws {
        let origin = #""origin": "https://localhost:\#(premises.ports.challenges)","#
        try restart(changing: [(origin, origin + #" "connectionsPerAddress": 3,"#)])
        #expect(try status(with: 2, usesTLS: true) == 404)
        #expect(try status(with: 3, usesTLS: true) == 0)
    }

    @Test func `accepts all connections of a proxy`() throws {
        let port = premises.ports.challenges
        let tls = """
            ["127.0.0.1:\(port)"],
                        "tls": {
                            "certificate": "pki/acs-server.pem", "key": "pki/acs-server.key"
                        }
            """
        try restart(changing: [
            ("https://localhost:\(port)", "http://localhost:\(port)"),
            (tls, #"["127.0.0.1:\#(port)"], "connectionsPerAddress": 3"#),
        ])
        #expect(try status(with: 1100, usesTLS: false) == 404)
    }
}

/// A run of slow_clients.py, which describes its settings; it ends with this value.
private final class SlowClients {
    private let process = Process()
    private let (commands, results) = (Pipe.closedOnExec(), Pipe.closedOnExec())

    init(
        _ kinds: [String],
        of premises: IssuerPremises,
        on listeners: [String],
        count: Int,
        usesTLS: Bool = true,
        returns: Bool = true
    ) throws {
        ignoreBrokenPipes()
        let ports = premises.ports
        let all: [String: (Int, String, Bool)] = [
            "directories": (ports.directories, "/3ds/authentication", true),
            "challenges": (ports.challenges, "/3ds/challenge", usesTLS),
            "issuer": (ports.issuer, "/acs/v1/authentication-values/check", false),
            "operation": (ports.operation, "/metrics", false),
        ]
        let pki = premises.folder.path("pki/")
        let settings: [String: Any] = [
            "listeners": listeners.compactMap { all[$0] }.map { port, path, tls in
                ["port": port, "path": path, "tls": tls] as [String: Any]
            },
            "authority": pki + "ca.pem",
            "certificate": pki + "ds-client.pem", "key": pki + "ds-client.key",
            "kinds": kinds, "count": count, "returns": returns,
        ]
        let data = try JSONSerialization.data(withJSONObject: settings)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-B", ReferenceCheckers.sources + "slow_clients.py",
            String(decoding: data, as: UTF8.self),
        ]
        process.standardInput = commands
        process.standardOutput = results
        try process.start()
        try results.fileHandleForWriting.close()
        _ = try report()
    }

    deinit {
        try? commands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The connections that the ACS closed, by kind.
    func closedConnections() throws -> [String: Int] {
        try commands.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        return try report()
    }

    private func report() throws -> [String: Int] {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = try results.fileHandleForReading.nextData()
            guard !more.isEmpty else { break }
            line += more
        }
        return try JSONDecoder().decode([String: Int].self, from: line)
    }
}
