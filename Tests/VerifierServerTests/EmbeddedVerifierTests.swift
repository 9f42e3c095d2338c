import Foundation
import Glibc
import ProgramTesting
import ServerOperation
import TestSupport
import Testing
import VerifierServer

/// `Examples/EmbeddedVerifier`, which uses only the public API, as a process.
@Suite(.timeLimit(.minutes(3))) struct `A program that embeds a verifier` {
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
        process.arguments = [premises.folder.path, String(try freePort())]
        process.standardOutput = output
        try process.start()
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

@Suite(.timeLimit(.minutes(3))) struct `A verifier server` {
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
                response: premises.path("keys/response"),
                checkpoint: premises.path("keys/checkpoint")
            ),
            api: .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        )
        configuration.logging.descriptor = -1
    }

    @Test func `serves the bank's API at its own port, if it has one`() async throws {
        var configuration = configuration
        configuration.bank = .init(addresses: [.init(host: "127.0.0.1", port: 0)])
        let server = VerifierServer(configuration: configuration)
        try await server.start()
        for (port, status) in [(await server.ports[0], 404), (await server.bankPorts[0], 401)] {
            let url = "http://127.0.0.1:\(port)/bank/v1/enterprises"
            #expect(try Fetched(url).status == status)
        }
        await server.stop()
        #expect(await server.bankPorts.isEmpty)
    }

    @Test func `runs until its task is cancelled`() async throws {
        let server = VerifierServer(configuration: configuration)
        let running = Task { try await server.run() }
        try await waitUntil { await !server.ports.isEmpty }
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
        try await waitUntil { await !server.ports.isEmpty }
        await server.stop()
        try await running.value
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await server.start()
        }
        #expect(failure?.code == .startedBefore)
    }

    @Test func `names the cause if it cannot use its journal`() async throws {
        var other = configuration
        other.journal = premises.path("keys")
        let server = VerifierServer(configuration: other)
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await server.start()
        }
        #expect(failure?.message == "the journal is not a regular file")
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

    /// The configuration with a key file that the opening waits for.
    private func waitingForKeys() -> (VerifierServer.Configuration, input: Pipe) {
        let input = Pipe.closedOnExec()
        var configuration = configuration
        configuration.keys.encryption = .descriptor(
            dup(input.fileHandleForReading.fileDescriptor)
        )
        return (configuration, input)
    }

    /// The system's list of locks is read, since a server cannot open while a test has its lock.
    private var isInUse: Bool {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: configuration.lockFile.path
            )
            let inode = try #require(attributes[.systemFileNumber] as? Int)
            return try systemTable("/proc/locks").contains(":\(inode) ")
        }
    }

    @Test func `stops while it opens its store`() async throws {
        let (configuration, input) = waitingForKeys()
        let server = VerifierServer(configuration: configuration)
        let running = Task { try await server.run() }
        try await waitUntil { try isInUse }
        let stopping = Task { await server.stop() }
        // In this time the actor takes the call; a later one would end the server as well.
        for _ in 0..<100 { _ = await server.ports }
        let keys = try Data(contentsOf: URL(filePath: premises.path("keys/encryption")))
        try input.fileHandleForWriting.write(contentsOf: keys)
        try input.fileHandleForWriting.close()
        try await running.value
        await stopping.value
        #expect(await server.ports.isEmpty)
        try await waitUntil { try !isInUse }
    }

    @Test func `stops all endpoints when one of them cannot start`() async throws {
        let socket = try LoopbackSocket(.listening)
        let number = dup(socket.descriptor.number)
        var configuration = configuration
        configuration.operation = .init(addresses: [], inheritedSockets: [number])
        let server = VerifierServer(configuration: configuration)
        try await server.open()
        let url = "http://127.0.0.1:\(await server.ports[0])/openapi.json"
        // The system reports no events of a regular file.
        let file = try OwnedDescriptor(Glibc.open(premises.store, O_RDONLY | O_CLOEXEC))
        try #require(dup2(file.number, number) == number)
        let failure = await #expect(throws: VerifierServer.Failure.self) {
            try await server.start()
        }
        #expect(failure?.code == .cannotListen)
        #expect(try Fetched(url, "--max-time", "5").status == 0)
        try await waitUntil { try !isInUse }
    }

    @Test func `returns from each stop when everything is closed`() async throws {
        let log = try TestPipe()
        var configuration = configuration
        configuration.logging.descriptor = log.writing.number
        configuration.limits.drain = .seconds(1)
        let server = VerifierServer(configuration: configuration)
        let running = Task { try await server.run() }
        try await waitUntil { await !server.ports.isEmpty }
        // The server waits for its request until the timeout.
        let client = try LoopbackSocket(.connected, to: await server.ports[0])
        let first = Task { await server.stop() }
        var text = ""
        try await waitUntil {
            text += log.read()
            return text.contains("stopping")
        }
        await server.stop()
        #expect((text + log.read()).contains("stopped"))
        await first.value
        try await running.value
        #expect(client.remainingText() == "")
    }

    @Test func `reloads no TLS key that other users may read`() async throws {
        let log = try TestPipe()
        var configuration = configuration
        configuration.logging.descriptor = log.writing.number
        let pair = premises.path("pair.pem")
        try FileManager.default.copyItem(
            atPath: try Certificates.shared.get().path(.server),
            toPath: pair
        )
        try #require(chmod(pair, 0o600) == 0)
        configuration.api.tls = .init(certificate: pair, key: pair)
        let server = VerifierServer(configuration: configuration)
        try await server.start()
        await server.reloadCertificates()
        #expect(log.read().contains(#""certificates reloaded""#))
        try #require(chmod(pair, 0o604) == 0)
        await server.reloadCertificates()
        let text = log.read()
        #expect(text.contains(#""certificates not reloaded""#))
        #expect(text.contains("other users can access the key"))
        await server.stop()
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
        Mistake(.unusableStore, "the store does not exist") {
            $0.store = .sqlite(path: "/nowhere")
        },
        Mistake(.unusableStore, "the journal does not exist") { $0.journal = "/nowhere" },
        Mistake(.unusableFile, "the key file /nowhere") { $0.keys.response = "/nowhere" },
        Mistake(.invalidConfiguration, "limits.connections must be at least 1") {
            $0.limits.connections = 0
        },
        Mistake(.invalidConfiguration, "limits.connectionsPerAddress must be at least 1") {
            $0.limits.connectionsPerAddress = 0
        },
        Mistake(.invalidConfiguration, "limits.drain must be at least 0") {
            $0.limits.drain = .seconds(-1)
        },
        Mistake(.invalidConfiguration, "push.perMinute must be at least 1") {
            $0.push.perMinute = 0
        },
        Mistake(.invalidConfiguration, "webhooks must be one for each enterprise and topic") {
            let secret = ($0.journal as NSString).deletingLastPathComponent + "/secret"
            let text = "whsec_" + String(repeating: "QUJD", count: 8) + "\n"
            _ = FileManager.default.createFile(
                atPath: secret,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            let webhook = VerifierServer.Configuration.Webhook(
                enterprise: "bank",
                topic: .events,
                url: "https://bank.example",
                secrets: [secret]
            )
            $0.webhooks = [webhook, webhook]
        },
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
