import HTTPClient
import TestSupport
import Testing

/// Uses a name server on this machine, in a separate network namespace.
@Suite(.enabled("the machine lets us make namespaces") { try Namespace.mayBeMade.get() })
struct `A name` {
    @Test func `without an address makes the network unavailable`() throws {
        let outcomes = try NameServer.absent.outcomes("https://bank.invalid/")
        #expect(outcomes == ["\(HTTPFailure.networkUnavailable(.name))"])
    }

    /// The lookup, which cannot be cancelled, takes half a minute.
    @Test func `without a response from the name server blocks no other request`() throws {
        var outcomes: [String] = []
        let time = try ContinuousClock().measure {
            outcomes = try NameServer.silent.outcomes(
                "https://bank.invalid/",
                "https://127.0.0.1/"
            )
        }
        #expect(
            outcomes == [
                "\(HTTPFailure.networkUnavailable(.deadline))",
                "\(HTTPFailure.networkUnavailable(.connection))",
            ]
        )
        #expect(time < .seconds(15))
    }
}

private enum NameServer: String {
    case absent, silent

    /// The output of `RequestProgram` with a connection timeout of three seconds.
    func outcomes(_ urls: String...) throws -> [String] {
        let folder = try TemporaryFolder()
        let resolver = try folder.write(
            "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n",
            to: "resolv.conf"
        )
        let program = [RequestProgram.path, "/absent", "3000", "0"]
        let process = try Namespace.run(
            """
            ip link set lo up
            mount --bind "$1" /etc/resolv.conf
            exec python3 -c "$2" "$@"
            """,
            [resolver, Self.script, rawValue] + program + urls,
            network: true
        )
        return try RequestProgram.read(process).map(\.outcome)
    }

    private static let script = """
        import socket, subprocess, sys
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        if sys.argv[3] == "silent":
            server.bind(("127.0.0.1", 53))
        sys.exit(subprocess.run(sys.argv[4:]).returncode)
        """
}
