import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `A service manager` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.serve()
    }

    @Test(arguments: [false, true])
    func `the service manager is notified about start, reload and shutdown`(isAbstract: Bool) throws
    {
        let listener = try NoticeSocket(premises.path("notify"), isAbstract: isAbstract)
        let verifier = try RunningVerifier(
            premises,
            environment: ["NOTIFY_SOCKET": listener.name]
        )
        #expect(listener.next() == "READY=1")
        verifier.signal(SIGHUP)
        let reloading = listener.next().split(separator: "\n")
        #expect(reloading.first == "RELOADING=1")
        #expect(reloading.last?.wholeMatch(of: /MONOTONIC_USEC=[0-9]+/) != nil)
        #expect(listener.next() == "READY=1")
        verifier.signal(SIGTERM)
        #expect(listener.next() == "STOPPING=1")
        #expect(verifier.end() == 0)
    }

    @Test func `a missing service manager is ignored`() throws {
        let verifier = try RunningVerifier(
            premises,
            environment: ["NOTIFY_SOCKET": premises.path("nobody")]
        )
        #expect(verifier.stop() == 0)
    }

    /// Opens sockets on loopback and files from descriptor 3 on, and then runs the program.
    private static let opener = """
        import fcntl, os, socket, sys
        def opened(name):
            if name == "tcp":
                return socket.create_server(("127.0.0.1", 0)).detach()
            return os.open(name, os.O_RDONLY)
        # Away from where they are to be.
        names = sys.argv[1].split(":")
        numbers = [fcntl.fcntl(opened(name), fcntl.F_DUPFD_CLOEXEC, 100) for name in names]
        for index, number in enumerate(numbers):
            os.dup2(number, 3 + index, inheritable=True)
        os.environ["LISTEN_PID"] = str(os.getpid() + int(sys.argv[2]))
        os.environ["LISTEN_FDS"] = str(len(names))
        os.execv(sys.argv[3], sys.argv[3:])
        """

    /// `tcp` for a socket, or the path of a file.
    private func opener(_ names: String..., pidOffset: Int = 0) -> [String] {
        ["python3", "-c", Self.opener, names.joined(separator: ":"), String(pidOffset)]
    }

    @Test func `sockets are assigned by their names`() throws {
        let verifier = try RunningVerifier(
            premises,
            by: opener("tcp", "tcp"),
            environment: ["LISTEN_FDNAMES": "operation:web"]
        )
        #expect(verifier.logLines.last?.contains(#""server":["*:\#(verifier.port)"]"#) == true)
        #expect(try Fetched("https://localhost:\(verifier.port)/openapi.json").status == 200)
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        #expect(try Fetched(operation + "/health/live").status == 200)
        #expect(verifier.stop() == 0)
    }

    /// Otherwise the public port would serve the bank's API, and nothing would listen here.
    @Test(arguments: ["bank"])
    func `a socket needs the member of its name`(_ name: String) throws {
        #expect(throws: RunningVerifier.EndedEarly.self) {
            try RunningVerifier(
                premises,
                by: opener("tcp", "tcp"),
                environment: ["LISTEN_FDNAMES": "\(name):web"]
            )
        }
        let text = premises.configuration
        let words =
            opener("tcp") + [BuiltProducts.path(of: "countersignd"), "run", "--config", text]
        let refused = try FinishedProcess.run(
            words[0],
            Array(words.dropFirst()),
            environment: ["LISTEN_FDNAMES": name]
        )
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("a socket named \(name), but the member \(name) is"))
    }

    @Test func `a socket with the name bank serves only the bank's API`() throws {
        try premises.serveBank(to: nil)
        let verifier = try RunningVerifier(
            premises,
            by: opener("tcp", "tcp"),
            environment: ["LISTEN_FDNAMES": "bank:server"]
        )
        #expect(verifier.logLines.last?.contains(#""bank":["*:\#(verifier.bankPort)"]"#) == true)
        for (port, status) in [(verifier.port, 404), (verifier.bankPort, 401)] {
            let url = "https://localhost:\(port)/bank/v1/enterprises"
            #expect(try Fetched(url).status == status)
        }
        #expect(verifier.stop() == 0)
    }

    /// systemd names a socket after its unit, unless the unit has `FileDescriptorName=`.
    @Test(arguments: [
        "countersignd.socket:countersignd-bank.socket", "bank:web", "server:", "Bank:server",
        "server:bank\u{1B}[31m",
    ])
    func `with bank.listen, a socket without a known name is refused`(_ names: String) throws {
        try premises.serveBank(to: nil)
        let words =
            opener("tcp", "tcp") + [
                BuiltProducts.path(of: "countersignd"), "run", "--config", premises.configuration,
            ]
        let refused = try FinishedProcess.run(
            words[0],
            Array(words.dropFirst()),
            environment: ["LISTEN_FDNAMES": names]
        )
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("each socket needs a known name"))
        #expect(refused.errorOutput.contains("FileDescriptorName= of its unit to server, bank or"))
        #expect(!refused.errorOutput.contains("\u{1B}"))
    }

    @Test func `sockets for another process are ignored`() throws {
        let verifier = try RunningVerifier(premises, by: opener("tcp", pidOffset: 1))
        #expect(verifier.logLines.last?.contains(#""server":["127.0.0.1:"#) == true)
        #expect(verifier.stop() == 0)
    }

    /// Configures keys from a descriptor, and removes their file.
    private func takeKeys(from descriptor: String) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try premises.write(
            text.replacing(#""keys/encryption""#, with: #""\#(descriptor)""#),
            to: "countersignd.json"
        )
        try premises.copy("keys/encryption", to: "elsewhere")
        try premises.remove("keys/encryption")
    }

    @Test func `encryption keys are read from a named descriptor`() throws {
        try takeKeys(from: "descriptor:keys")
        let verifier = try RunningVerifier(
            premises,
            by: opener("tcp", premises.path("elsewhere"), "tcp"),
            environment: ["LISTEN_FDNAMES": "web:keys:operation"]
        )
        #expect(try Fetched("https://localhost:\(verifier.port)/openapi.json").status == 200)
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        #expect(try Fetched(operation + "/health/ready").status == 200)
        #expect(verifier.stop() == 0)
    }

    @Test(arguments: [
        (
            "descriptor:3", "web:keys", 65,
            "descriptor:3, for the encryption keys, is a descriptor of the s"
        ),
        ("descriptor:3", "web:keys", 65, "the service manager as web\n"),
        ("descriptor:4", "web:keys", 65, "the service manager as keys\n"),
        ("descriptor:keys", "keys:keys", 65, "names several descriptors"),
        ("descriptor:keys", "web:other", 66, "descriptor:keys, for the encryption keys, is not op"),
        ("descriptor:web", "web:keys", 74, "cannot read or write descriptor:web"),
    ])
    func `numbers and ambiguous names of descriptors are rejected`(
        descriptor: String,
        names: String,
        exitCode: Int32,
        message: String
    ) throws {
        try takeKeys(from: descriptor)
        // Ends the process if it starts.
        let refused = try FinishedProcess.run(
            "timeout",
            ["20"] + opener("tcp", premises.path("elsewhere")) + [
                BuiltProducts.path(of: "countersignd"), "run", "--config", premises.configuration,
            ],
            environment: ["LISTEN_FDNAMES": names]
        )
        #expect(refused.exitCode == exitCode, "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(refused.errorOutput.contains("\nhint: "))
    }

    @Test func `a descriptor that is not a listening socket is rejected`() throws {
        let program = BuiltProducts.path(of: "countersignd")
        let refused = try FinishedProcess.run(
            "sh",
            [
                "-c",
                "LISTEN_PID=$$ LISTEN_FDS=1 exec \(program) run --config \(premises.configuration)"
                    + " 3</dev/null",
            ]
        )
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("descriptor 3 is not a listening TCP socket"))
    }
}

/// The notification socket of a service manager.
private final class NoticeSocket {
    let name: String
    private let socket: OwnedDescriptor

    init(_ path: String, isAbstract: Bool) throws {
        name = isAbstract ? "@" + path : path
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
        socket = try OwnedDescriptor(Foundation.socket(AF_UNIX, Int32(kind), 0))
        let descriptor = socket.number
        let status = withUnixAddress((isAbstract ? [0] : []) + Array(path.utf8)) {
            bind(descriptor, $0, $1)
        }
        guard status == 0 else { throw OwnedDescriptor.Failure() }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    /// The next notice; empty after the timeout.
    func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(socket.number, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
