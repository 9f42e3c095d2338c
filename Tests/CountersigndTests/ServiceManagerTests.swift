import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `A service manager` {
    private let premises: Premises

    init() throws {
        premises = try Premises.made()
        try premises.serve()
    }

    @Test(arguments: [false, true])
    func `is told when it is ready, reloads and stops`(isAbstract: Bool) throws {
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

    @Test func `that is gone keeps nobody from running`() throws {
        let verifier = try RunningVerifier(
            premises,
            environment: ["NOTIFY_SOCKET": premises.path("nobody")]
        )
        #expect(verifier.stop() == 0)
    }

    /// Opens sockets on loopback from 3 on, and becomes the program that is named after that.
    private static let opener = """
        import fcntl, os, socket, sys
        listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
        # Away from where they are to be.
        numbers = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 100) for each in listeners]
        for index, number in enumerate(numbers):
            os.dup2(number, 3 + index, inheritable=True)
        os.environ["LISTEN_PID"] = str(os.getpid() + int(sys.argv[2]))
        os.environ["LISTEN_FDS"] = sys.argv[1]
        os.execv(sys.argv[3], sys.argv[3:])
        """

    private func opener(_ count: Int, pidOffset: Int = 0) -> [String] {
        ["python3", "-c", Self.opener, String(count), String(pidOffset)]
    }

    @Test func `hands sockets over, by their names`() throws {
        let verifier = try RunningVerifier(
            premises,
            by: opener(2),
            environment: ["LISTEN_FDNAMES": "operation:web"]
        )
        #expect(verifier.said.last?.contains(#""server":["*:\#(verifier.port)"]"#) == true)
        #expect(try Fetched("https://localhost:\(verifier.port)/openapi.json").status == 200)
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        #expect(try Fetched(operation + "/health/live").status == 200)
        #expect(verifier.stop() == 0)
    }

    @Test func `hands sockets over to nobody but the process that it names`() throws {
        let verifier = try RunningVerifier(premises, by: opener(1, pidOffset: 1))
        #expect(verifier.said.last?.contains(#""server":["127.0.0.1:"#) == true)
        #expect(verifier.stop() == 0)
    }

    @Test func `that hands over what does not listen is told so`() throws {
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
        #expect(refused.errorOutput.contains("descriptor 3 is no TCP socket that listens"))
    }
}

/// Where a service manager is told how things go.
private final class NoticeSocket {
    let name: String
    private let descriptor: Int32

    init(_ path: String, isAbstract: Bool) throws {
        name = isAbstract ? "@" + path : path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard status == 0 else { throw RawSocket.Failure() }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    deinit { close(descriptor) }

    /// The next notice; empty where none comes.
    func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
