import Foundation
import ProgramTesting
import TestSupport
import Testing

/// A token in another process, which p11-kit connects over a socket.
///
/// SoftHSM itself would run in the verifier's memory. p11-kit passes signatures on, but no key
/// agreement, so only keys that sign are in this token.
private final class RemoteToken {
    static let library = "/usr/lib/x86_64-linux-gnu/pkcs11/p11-kit-client.so"

    let token: HardwareToken
    private let socket: String
    private let process = Process()

    init(_ folder: TemporaryFolder) async throws {
        token = try HardwareToken()
        socket = folder.path + "/token.socket"
        process.executableURL = URL(filePath: "/usr/bin/p11-kit")
        process.arguments = [
            "server", "--foreground", "--provider", HardwareToken.library, "--name",
            socket, "pkcs11:",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.start()
        try await waitUntil { FileManager.default.fileExists(atPath: socket) }
    }

    deinit { signal(SIGKILL) }

    var environment: [String: String] { ["P11_KIT_SERVER_ADDRESS": "unix:path=" + socket] }

    /// To the server and to its child for each client: Foundation gives it a process group.
    func signal(_ number: Int32) { kill(-process.processIdentifier, number) }
}

extension `Tokens of SoftHSM` {
    @Suite(.timeLimit(.minutes(5))) struct `A token in another process` {
        private let folder: TemporaryFolder
        private let remote: RemoteToken
        private let premises: Premises

        init() async throws {
            folder = try TemporaryFolder()
            remote = try await RemoteToken(folder)
            premises = try Premises(
                remote.token,
                library: RemoteToken.library,
                inFiles: ["agreement"],
                isSealed: false
            )
            try premises.serve()
        }

        private func initialize() throws {
            let made = try FinishedProcess.run(
                BuiltProducts.path(of: "countersignd"),
                ["init", "--config", premises.configuration],
                environment: remote.environment
            )
            try #require(made.exitCode == 0, "\(made.errorOutput)")
        }

        /// All that a process can write, as a debugger reads it.
        private func memory(of process: Int32) throws -> Data {
            let maps = try systemTable("/proc/\(process)/maps")
            let file = try OwnedDescriptor(open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC))
            let pageSize = 4096
            var (memory, page) = (Data(), [UInt8](repeating: 0, count: pageSize))
            let unusedPage = page
            for line in maps.split(separator: "\n") where line.contains(" rw") {
                let ends = line.prefix { $0 != " " }.split(separator: "-")
                guard
                    let start = Int(ends[0], radix: 16), let end = Int(ends[1], radix: 16)
                else { continue }
                for place in stride(from: start, to: end, by: pageSize) {
                    // The kernel denies some pages, and most pages of a stack are unused.
                    guard pread(file.number, &page, pageSize, place) == pageSize,
                        memcmp(page, unusedPage, pageSize) != 0
                    else { continue }
                    memory += page
                }
            }
            return memory
        }

        @Test(.needsPlainMemory)
        func `SEC-109: no private key of the token is in the verifier's memory or files`()
            throws
        {
            var secrets = Secrets()
            secrets.add(
                "response",
                try remote.token.importKey("response", in: folder, "--usage-sign", "--sensitive")
            )
            try initialize()
            let verifier = try RunningVerifier(premises, environment: remote.environment)
            let operation = "http://127.0.0.1:\(verifier.operationPort)/health/ready"
            // It has signed with the key.
            #expect(try Fetched(operation).body == "ready\n")
            #expect(secrets.found(in: try memory(of: verifier.processID)) == [])
            for file in try premises.files() {
                #expect(secrets.found(in: try premises.contents(file)) == [], "\(file)")
            }
            // The control: a key in a file is found.
            let digits = String(decoding: try premises.contents("keys/agreement"), as: UTF8.self)
            let number = stride(from: 0, to: 64, by: 2).compactMap { offset in
                UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
            }
            secrets.add("agreement", number)
            let found = secrets.found(in: try memory(of: verifier.processID))
            #expect(found == ["agreement"])
            #expect(verifier.stop() == 0)
        }

        /// A call that never ends must not stop the event loops, which also serve the bank.
        @Test func `SEC-109: a token that hangs stops neither health checks nor the bank's calls`()
            async throws
        {
            try initialize()
            try premises.write("{}", to: "policy.json")
            func command(_ words: String...) throws -> String {
                try FinishedProcess.run(
                    BuiltProducts.path(of: "countersignd"),
                    words + ["--config", premises.configuration],
                    environment: remote.environment
                ).output
            }
            _ = try command("policy", "set", "bank", premises.path("policy.json"), "--new")
            let bank = try command("token", "create", "core", "issuer", "--all")
            let verifier = try RunningVerifier(premises, environment: remote.environment)
            let operation = "http://127.0.0.1:\(verifier.operationPort)"
            #expect(try Fetched(operation + "/health/ready").status == 200)
            remote.signal(SIGSTOP)
            try await waitUntil { try Fetched(operation + "/health/ready").status == 503 }
            #expect(try Fetched(operation + "/health/ready").body == "keys.unavailable\n")
            #expect(try Fetched(operation + "/health/live").body == "live\n")
            let header = "Authorization: Bearer " + bank.trimmingCharacters(in: .newlines)
            let account =
                "https://localhost:\(verifier.port)/bank/v1/enterprises/bank/accounts/main/1"
            #expect(try Fetched(account, "-XPUT", "-H", header).status == 201)
            remote.signal(SIGCONT)
            try await waitUntil { try Fetched(operation + "/health/ready").status == 200 }
            #expect(verifier.stop() == 0)
        }
    }
}
