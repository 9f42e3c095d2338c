import Foundation
import ProgramTesting
import TestSupport
import Testing
import VerifierServer

/// `Examples/EmbeddedVerifier`, which uses only the public API, as a process.
@Suite(.timeLimit(.minutes(1))) struct `A program that embeds a verifier` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.write("{}", to: "policy.json")
        let policy = premises.path("policy.json")
        for words in [
            ["policy", "set", "bank", policy, "--new"], ["account", "add", "bank/main/4711"],
        ] {
            let made = try premises.countersignd(words)
            try #require(made.exitCode == 0, "\(made.errorOutput)")
        }
    }

    @Test func `serves both APIs until SIGTERM, and then stops gracefully`() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: BuiltProducts.path(of: "EmbeddedVerifier"))
        process.arguments = [premises.folder.path]
        process.standardOutput = output
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        var text = ""
        while text.count(where: { $0 == "\n" }) < 2 {
            let data = try output.fileHandleForReading.nextData()
            try #require(!data.isEmpty, "\(text)")
            text += String(decoding: data, as: UTF8.self)
        }
        let ports = text.matches(of: /127\.0\.0\.1:(\d+)\n/).map { String($0.1) }
        let origin = "http://127.0.0.1:" + ports[0]
        #expect(try Fetched("http://127.0.0.1:\(ports[1])/health/ready").status == 200)
        #expect(try Fetched(origin + "/openapi.json").status == 200)
        #expect(try Fetched(origin + "/device/v1/status", "-XPOST").status == 401)
        let account = origin + "/bank/v1/enterprises/bank/accounts/main/4711"
        #expect(try Fetched(account).status == 401)
        let header = "Authorization: Bearer \(try premises.token("core", "issuer"))"
        #expect(try Fetched(account, "-H", header)["id"] == "4711")
        // The second and later signals change nothing.
        for _ in 1...1000 where process.isRunning { process.terminate() }
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(String(decoding: rest, as: UTF8.self) == "stopped\n")
        #expect(process.terminationStatus == 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A verifier server` {
    private let premises: Premises
    private var configuration: VerifierServer.Configuration

    init() throws {
        premises = try Premises.initialized()
        configuration = VerifierServer.Configuration(
            origin: "http://127.0.0.1:8080",
            store: .sqlite(path: premises.store),
            journal: premises.path("journal/journal"),
            keys: VerifierServer.Configuration.Keys(
                encryption: .file(premises.path("keys/encryption")),
                agreement: premises.path("keys/agreement"),
                response: premises.path("keys/answers"),
                checkpoint: premises.path("keys/checkpoint")
            ),
            api: .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        )
        configuration.logging.descriptor = -1
    }

    @Test func `runs until its task is cancelled`() async throws {
        let server = VerifierServer(configuration: configuration)
        let running = Task { try await server.run() }
        while await server.ports.isEmpty { await Task.yield() }
        let url = "http://127.0.0.1:\(await server.ports[0])/openapi.json"
        #expect(try Fetched(url).status == 200)
        running.cancel()
        try await running.value
        #expect(try Fetched(url).status == 0)
        #expect(await server.ports.isEmpty)
    }

    @Test func `stops while it runs, and starts only once`() async throws {
        let server = VerifierServer(configuration: configuration)
        let running = Task { try await server.run() }
        while await server.ports.isEmpty { await Task.yield() }
        await server.stop()
        try await running.value
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await server.start()
        }
        #expect(failure?.code == .startedBefore)
    }

    @Test func `releases its store when it cannot listen`() async throws {
        let server = VerifierServer(configuration: configuration)
        try await server.start()
        var other = configuration
        other.api.addresses = [.init(host: "127.0.0.1", port: await server.ports[0])]
        let second = VerifierServer(configuration: other)
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await second.start()
        }
        #expect(failure?.code == .cannotListen)
        await server.stop()
        let third = VerifierServer(configuration: configuration)
        try await third.start()
        await third.stop()
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let code: VerifierServer.Failure.Code
        let message: String
        let change: @Sendable (inout VerifierServer.Configuration) -> Void

        init(
            _ code: VerifierServer.Failure.Code,
            _ message: String,
            _ change: @escaping @Sendable (inout VerifierServer.Configuration) -> Void
        ) {
            (self.code, self.message, self.change) = (code, message, change)
        }

        var testDescription: String { message }
    }

    @Test(arguments: [
        Mistake(.invalidConfiguration, "origin must be https://HOST") { $0.origin = "ftp://bank" },
        Mistake(.invalidConfiguration, "api has no address") { $0.api.addresses = [] },
        Mistake(.invalidConfiguration, "api needs TLS") { $0.api.addresses[0].host = "0.0.0.0" },
        Mistake(.invalidConfiguration, "not an IP address") {
            $0.api.addresses[0].host = "localhost"
        },
        Mistake(.unusableStore, "cannot open the store") { $0.store = .sqlite(path: "/nowhere") },
        Mistake(.unusableStore, "cannot open the journal") { $0.journal = "/nowhere" },
        Mistake(.unusableFile, "the key file /nowhere") { $0.keys.response = "/nowhere" },
        Mistake(.invalidConfiguration, "webhooks.url must be an https:// URL") {
            $0.webhooks = [
                .init(enterprise: "bank", topic: .events, url: "ftp://bank", secrets: ["x"])
            ]
        },
    ])
    func `reports a configuration that cannot work`(_ mistake: Mistake) async throws {
        var configuration = configuration
        mistake.change(&configuration)
        let server = VerifierServer(configuration: configuration)
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await server.start()
        }
        #expect(failure?.code == mistake.code)
        #expect(
            failure?.message.contains(mistake.message) == true,
            "\(String(describing: failure))"
        )
    }
}
