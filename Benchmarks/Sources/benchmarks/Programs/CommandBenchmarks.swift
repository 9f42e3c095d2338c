import Cryptography
import TransactionApproval

extension Benchmark {
    /// The whole run of the released `countersign`, compared with curl.
    ///
    /// curl sends requests that cause the same work in the verifier.
    static var commands: [Benchmark] {
        let commands = Commands()
        func benchmark(
            _ name: String,
            _ target: Target,
            pairCount: Int,
            ours: @escaping () async throws -> Double,
            reference: @escaping () async throws -> Double
        ) -> Benchmark {
            Benchmark(
                name: "cli.\(name)",
                unit: "ms",
                target: target,
                statistic: .medians,
                pairCount: pairCount,
                ours: { Sample(cost: try await ours(), result: []) },
                reference: { Sample(cost: try await reference(), result: []) }
            )
        }
        return [
            benchmark("help-vs-limit", .atMost(1), pairCount: 25) {
                try await commands.help()
            } reference: {
                20
            },
            benchmark("pending-vs-curl", .atMost(2), pairCount: 25) {
                try await commands.pending()
            } reference: {
                try await commands.curl(requestCount: 1)
            },
            benchmark("approve-vs-curl-twice", .atMost(3), pairCount: 11) {
                try await commands.approve()
            } reference: {
                try await commands.curl(requestCount: 2)
            },
        ]
    }
}

/// A running verifier and its clients.
private final class Commands {
    private struct Installation {
        let folder: VerifierFolder
        let verifier: RunningServer
        var users: [UserFolder]
    }

    /// The maximum number of requests for one user in ten minutes.
    private static let maximumRequests = 5

    private var installation: Installation?
    private var approvalCount = 0
    private var requestCount = 0

    private func folder() async throws -> VerifierFolder {
        if let installation { return installation.folder }
        let folder = try VerifierFolder(isSecured: true)
        try await folder.addDevices()
        let verifier = try RunningServer(folder)
        installation = Installation(folder: folder, verifier: verifier, users: [])
        return folder
    }

    private func user(_ index: Int) async throws -> UserFolder {
        let folder = try await folder()
        while let installation, installation.users.count <= index {
            let account = "\(4711 + installation.users.count)"
            self.installation?.users.append(try UserFolder(account, at: folder))
        }
        guard let installation else { throw BenchmarkFailure("nothing is installed") }
        return installation.users[index]
    }

    func help() async throws -> Double {
        let program = Program(words: [Repository.program("countersign"), "--help"])
        return try program.run().duration.inMilliseconds
    }

    /// The usual case without a pending transaction: one request, and the exit code 2.
    func pending() async throws -> Double {
        let program = try await user(0).countersign(["pending"])
        return try program.run(expecting: 2).duration.inMilliseconds
    }

    /// The time from the identifier to the verdict, without the key derivation of the PIN.
    func approve() async throws -> Double {
        let user = try await user(1 + approvalCount / Self.maximumRequests)
        approvalCount += 1
        let id = try user.createPayment()
        let program = user.countersign(["approve", id, "--yes", "--pin-fd", "3"])
        let whole = try program.run().duration
        return (whole - (try await timeOfPIN())).inMilliseconds
    }

    private func timeOfPIN() async throws -> Duration {
        let start = ContinuousClock.now
        _ = try await Argon2id.deriveKey(
            from: Material.key(0),
            salt: Material.bytes(ofKey: 1),
            cost: .constrainedMemory,
            byteCount: 32
        ).withBytes { $0.count }
        return .now - start
    }

    /// Signed requests of several devices for their pending transactions, over one connection.
    func curl(requestCount count: Int) async throws -> Double {
        let folder = try await folder()
        var words = ["/usr/bin/curl"]
        for index in 0..<count {
            requestCount += 1
            let device = requestCount % VerifierFolder.deviceCount
            let request = try folder.request(TransactionListExchange.self, ofDevice: device)
            if index > 0 { words.append("--next") }
            words += ["-sS", "--fail", "--cacert", folder.certificate.file]
            words += request.fields.flatMap { ["-H", "\($0.name): \($0.value)"] }
            words += ["-d", String(decoding: request.message.body, as: UTF8.self)]
            words.append(request.message.targetURI)
        }
        let program = Program(words: words, environment: ["no_proxy": "localhost"])
        return try program.run().duration.inMilliseconds
    }
}

extension Duration {
    fileprivate var inMilliseconds: Double { self / .milliseconds(1) }
}
