import Foundation
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct `TLS` {
    private static func settings(
        _ name: Certificates.Name = .server,
        clients: Certificates.Name? = nil
    ) throws -> TLSSettings {
        let certificates = try Certificates.shared.get()
        return TLSSettings(
            certificateFile: certificates.path(name),
            keyFile: certificates.path(name),
            clientAuthoritiesFile: clients.map(certificates.path)
        )
    }

    @Test(arguments: [
        (["--tlsv1.2", "--tls-max", "1.2"], "GET /a  true"), (["--tlsv1.3"], "GET /a  true"),
    ])
    func `SEC-37: serves curl`(_ options: [String], _ response: String) async throws {
        let handler: Server.Handler = { request in
            let text = "\(request.method) \(request.target)  \(request.peer.isSecured)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
        try await withServer(tls: try Self.settings(), handler: handler) { _, port in
            let run = try curl(port, options, target: "/a")
            #expect(run.output == response)
        }
    }

    @Test(arguments: ["-tls1", "-tls1_1"])
    func `SEC-37: refuses versions before 1.2`(_ version: String) async throws {
        try await withServer(tls: try Self.settings()) { _, port in
            let run = try client(port, [version, "-cipher", "ALL:@SECLEVEL=0"])
            #expect(run.output.contains("Cipher is (NONE)"))
        }
    }

    @Test(arguments: [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", Certificates.Name.server, true),
        ("ECDHE-ECDSA-AES256-GCM-SHA384", .server, true),
        ("ECDHE-ECDSA-CHACHA20-POLY1305", .server, true),
        ("ECDHE-RSA-AES128-GCM-SHA256", .rsa, true),
        ("AES128-GCM-SHA256", .rsa, false), ("AES256-SHA256", .rsa, false),
        ("DHE-RSA-AES128-GCM-SHA256", .rsa, false), ("ECDHE-RSA-AES128-SHA", .rsa, false),
        ("ECDHE-ECDSA-AES128-SHA256", .server, false), ("ECDHE-ECDSA-AES128-CCM", .server, false),
        ("aNULL:eNULL", .server, false),
    ])
    func `SEC-37: version 1.2 has only authenticated ciphers with forward secrecy`(
        _ suite: String,
        _ certificate: Certificates.Name,
        _ isServed: Bool
    ) async throws {
        try await withServer(tls: try Self.settings(certificate)) { _, port in
            let run = try client(port, ["-tls1_2", "-cipher", suite + ":@SECLEVEL=0"])
            #expect(run.output.contains("Cipher is \(suite)\n") == isServed)
            #expect(run.output.contains("HTTP/1.1 200 ") == isServed)
        }
    }

    @Test(arguments: [
        (["-alpn", "h2,http/1.1"], "ALPN protocol: http/1.1", true),
        (["-alpn", "http/1.1"], "ALPN protocol: http/1.1", true),
        (["-alpn", "h2"], "no application protocol", false), ([], "No ALPN negotiated", true),
    ])
    func `selects HTTP/1.1 for clients that offer protocols`(
        _ options: [String],
        _ expected: String,
        _ isServed: Bool
    ) async throws {
        try await withServer(tls: try Self.settings()) { _, port in
            let run = try client(port, options)
            #expect((run.output + run.errorOutput).contains(expected))
            #expect(run.output.contains("HTTP/1.1 200 ") == isServed)
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `resumes sessions of earlier clients`(_ version: String) async throws {
        let folder = try TemporaryFolder()
        let session = folder.path + "/session"
        try await withServer(tls: try Self.settings()) { _, port in
            let first = try client(port, [version, "-sess_out", session])
            #expect(first.output.contains("\nNew, TLSv"))
            let second = try client(port, [version, "-sess_in", session])
            #expect(second.output.contains("\nReused, TLSv"))
            #expect(second.output.contains("HTTP/1.1 200 "))
        }
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `resumes sessions of clients that closed first`(_ version: String) async throws {
        let authority = try Certificates.shared.get().path(.authority)
        try await withServer(tls: try Self.settings()) { _, port in
            let arguments = ["-c", Self.closingClient, "\(port)", authority, version]
            let run = try FinishedProcess.run("timeout", ["60", "python3"] + arguments)
            #expect(run.output == "resumed\n", "\(run.errorOutput)")
        }
    }

    /// Connects six times, each time after the server has closed the connection before.
    private static let closingClient = """
        import socket, ssl, sys

        context = ssl.create_default_context(cafile=sys.argv[2])
        context.minimum_version = context.maximum_version = ssl.TLSVersion[sys.argv[3]]
        session, resumed = None, []

        for _ in range(6):
            raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
            client = context.wrap_socket(raw, server_hostname="localhost", session=session)
            client.sendall(b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
            assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
            session = client.session
            resumed.append(client.session_reused)
            try:
                client.unwrap()
            except OSError:
                pass  # The server closes without a closing alert of its own.
            client.close()
        print("resumed" if resumed == [False] + 5 * [True] else resumed)
        """

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `does not resume sessions of another server`(_ version: String) async throws {
        let folder = try TemporaryFolder()
        let session = folder.path + "/session"
        try await withServer(tls: try Self.settings()) { _, port in
            _ = try client(port, [version, "-sess_out", session])
        }
        try await withServer(tls: try Self.settings()) { _, port in
            let second = try client(port, [version, "-sess_in", session])
            #expect(second.output.contains("\nNew, TLSv"))
        }
    }

    private static let versions = [["-tls1_2"], ["-tls1_3"]]

    private static let clients: [Certificates.Name?] = [
        nil, .client, .expiredClient, .foreignClient, .foreign,
    ]

    @Test(arguments: versions, clients)
    func `SEC-37: a handler gets no request without a certificate of the right CA`(
        _ version: [String],
        _ name: Certificates.Name?
    ) async throws {
        let requests = Tally()
        let handler: Server.Handler = { _ in
            await requests.add()
            return Response(status: 200)
        }
        let settings = try Self.settings(clients: .authority)
        let shown = try name.map { ["-cert", try Certificates.shared.get().path($0)] } ?? []
        try await withServer(tls: settings, handler: handler) { _, port in
            // Without a certificate, TLS 1.3 ends for the client before the server refuses it.
            let run = try client(port, version + shown)
            #expect(run.output.contains("HTTP/1.1 200 ") == (name == .client))
            #expect(await requests.count == (name == .client ? 1 : 0))
        }
    }

    @Test(arguments: versions)
    func `SEC-37: a certificate is verified in every handshake`(_ version: [String]) async throws {
        let folder = try TemporaryFolder()
        let session = folder.path + "/session"
        let settings = try Self.settings(clients: .authority)
        let shown = ["-cert", try Certificates.shared.get().path(.client)]
        try await withServer(tls: settings) { _, port in
            let first = try client(port, version + shown + ["-sess_out", session])
            #expect(first.output.contains("HTTP/1.1 200 "))
            #expect(!FileManager.default.fileExists(atPath: session), "no session to resume")
        }
    }

    @Test(arguments: [(16, "HTTP/1.1 200 "), (100_000, "closed")])
    func `a client that only updates keys is cut off`(
        _ count: Int,
        _ outcome: String
    ) async throws {
        try await withServer(tls: try Self.settings()) { _, port in
            let run = try FinishedProcess.run(
                "python3",
                ["-c", Self.updater, "\(port)", "\(count)"]
            )
            #expect(run.output == outcome + "\n", "\(run.errorOutput)")
        }
    }

    /// Updates its keys, and then sends a request; Python's own module has no such call.
    private static let updater = """
        import ctypes, signal, socket, sys
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        tls = ctypes.CDLL("libssl.so.3")
        for name in ("TLS_client_method", "SSL_CTX_new", "SSL_new"):
            getattr(tls, name).restype = ctypes.c_void_p
        raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        context = ctypes.c_void_p(tls.SSL_CTX_new(ctypes.c_void_p(tls.TLS_client_method())))
        session = ctypes.c_void_p(tls.SSL_new(context))
        assert tls.SSL_set_fd(session, raw.fileno()) == 1 and tls.SSL_connect(session) == 1
        isOpen = True
        for _ in range(int(sys.argv[2])):
            isOpen = tls.SSL_key_update(session, 0) == 1 and tls.SSL_do_handshake(session) == 1
            if not isOpen: break
        request = b"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
        response = ctypes.create_string_buffer(1000)
        isOpen = isOpen and tls.SSL_write(session, request, len(request)) > 0
        isOpen = isOpen and tls.SSL_read(session, response, 999) > 0
        print(response.value.decode().split("\\r\\n")[0] if isOpen else "closed")
        """

    @Test func `passes the client certificate to the handler`() async throws {
        let certificates = try Certificates.shared.get()
        let settings = try Self.settings(clients: .authority)
        let handler: Server.Handler = { request in
            let shown = request.peer.certificate.map { Data($0).base64EncodedString() }
            return Response(status: 200, body: .bytes(Array((shown ?? "none").utf8)))
        }
        let script = "openssl x509 -in \"$0\" -outform der | base64 -w 0"
        let der = try FinishedProcess.run("sh", ["-c", script, certificates.path(.client)]).output
        try #require(!der.isEmpty)
        try await withServer(tls: settings, handler: handler) { _, port in
            for version in ["1.2", "1.3"] {
                let shown = try curl(
                    port,
                    ["--tls-max", version, "--cert", certificates.path(.client)]
                )
                #expect(shown.output == der)
                for options in [[], ["--cert", certificates.path(.foreignClient)]] {
                    let refused = try curl(port, ["--tls-max", version] + options)
                    #expect(refused.exitCode != 0)
                    #expect(refused.output == "")
                }
            }
        }
    }

    @Test func `carries large bodies both ways, and pipelined requests`() async throws {
        let body = String(repeating: "0123456789abcdef", count: 4096)
        try await withServer(tls: try Self.settings()) { _, port in
            let run = try FinishedProcess.run(
                "python3",
                ["-c", Self.python, "\(port)", try Certificates.shared.get().path(.authority)],
                input: Array(body.utf8)
            )
            #expect(run.errorOutput == "")
            #expect(run.output == "4\n")
        }
    }

    /// Four pipelined requests over one connection.
    private static let python = """
        import socket, ssl, sys
        body = sys.stdin.buffer.read()
        context = ssl.create_default_context(cafile=sys.argv[2])
        raw = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        client = context.wrap_socket(raw, server_hostname="localhost")
        for number in range(4):
            head = "PUT /%d HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: %d\\r\\n\\r\\n"
            client.sendall((head % (number, len(body))).encode() + body)
        stream, count = client.makefile("rb"), 0
        for number in range(4):
            while stream.readline() != b"\\r\\n":
                pass
            expected = b"PUT /%d " % number + body
            count += stream.read(len(expected)) == expected
        print(count)
        """

    @Test func `closes on a client that does not start a handshake`() async throws {
        var deadlines = Deadlines()
        deadlines.head = .milliseconds(100)
        try await withServer(tls: try Self.settings(), deadlines: deadlines) { _, port in
            let newcomer = try RawClient(port)
            #expect(try newcomer.remainingText() == "")
            let plain = try RawClient(port)
            plain.send(get())
            #expect(try !plain.remainingText().contains("HTTP"))
            let halfway = try RawClient(port)
            halfway.send([0x16, 0x03, 0x01, 0x01, 0x00])
            #expect(try halfway.remainingText() == "")
        }
    }
}

@Suite struct `Reloaded certificates` {
    private let folder: TemporaryFolder
    private let certificates: Certificates

    init() throws {
        folder = try TemporaryFolder()
        certificates = try Certificates.shared.get()
    }

    private func put(_ name: Certificates.Name) throws -> TLSSettings {
        let text = try String(contentsOfFile: certificates.path(name), encoding: .utf8)
        let file = try folder.write(text, to: "certificate.pem")
        return TLSSettings(certificateFile: file, keyFile: file)
    }

    private func subject(_ port: Int) throws -> String? {
        let output = try client(port, []).output
        return output.firstMatch(of: /subject=CN = (\w+)/).map { String($0.1) }
    }

    @Test func `apply to new connections, and open ones continue`() async throws {
        let (requested, reloaded) = (Tally(), Tally())
        let handler: Server.Handler = { request in
            if request.target == "/wait" {
                await requested.add()
                await reloaded.wait()
            }
            return await echo(request)
        }
        try await withServer(tls: try put(.server), handler: handler) { server, port in
            async let old = connectionCounts(port)
            await requested.wait()
            _ = try put(.otherHost)
            #expect(try subject(port) == "server")
            try await server.reloadCertificates()
            #expect(try subject(port) == "otherHost")
            await reloaded.add()
            #expect(try await old == "GET /wait 1GET /after 0")
        }
    }

    /// For two requests of curl over one connection.
    private func connectionCounts(_ port: Int) async throws -> String {
        let url = "https://localhost:\(port)"
        let after = ["--write-out", "%{num_connects}", url + "/wait", url + "/after"]
        let authority = certificates.path(.authority)
        return try FinishedProcess.run("curl", ["-s", "--cacert", authority] + after).output
    }

    @Test func `are ignored if they are unusable`() async throws {
        try await withServer(tls: try put(.server)) { server, port in
            let path = try folder.write("none", to: "certificate.pem")
            await #expect(throws: ServerFailure.unreadableCertificate(path: path)) {
                try await server.reloadCertificates()
            }
            #expect(try subject(port) == "server")
        }
    }

    @Test func `are rejected at the start if they are unusable`() throws {
        let (server, client) = (certificates.path(.server), certificates.path(.client))
        let missing = folder.path + "/missing"
        for (settings, failure) in [
            (
                TLSSettings(certificateFile: missing, keyFile: server),
                ServerFailure.unreadableCertificate(path: missing)
            ),
            (
                TLSSettings(certificateFile: certificates.path(.weak), keyFile: server),
                .weakCertificate(path: certificates.path(.weak))
            ),
            (
                TLSSettings(certificateFile: server, keyFile: client),
                .otherKey(path: client)
            ),
            (
                TLSSettings(certificateFile: server, keyFile: certificates.path(.rsa)),
                .otherKey(path: certificates.path(.rsa))
            ),
            (
                TLSSettings(certificateFile: server, keyFile: certificates.path(.authority)),
                .unusableKey(path: certificates.path(.authority))
            ),
            (
                TLSSettings(certificateFile: server, keyFile: missing),
                .unusableKey(path: missing)
            ),
            (
                TLSSettings(
                    certificateFile: server,
                    keyFile: server,
                    clientAuthoritiesFile: missing
                ),
                .unreadableAuthorities(path: missing)
            ),
        ] {
            #expect(throws: failure) { try TLSContext(settings) }
        }
    }

    @Test func `never prompt for the password of a key`() throws {
        let locked = folder.path + "/locked.pem"
        let run = try FinishedProcess.run(
            "openssl",
            [
                "pkey", "-in", certificates.path(.server), "-aes256", "-passout", "pass:a", "-out",
                locked,
            ]
        )
        try #require(run.exitCode == 0)
        #expect(throws: ServerFailure.unusableKey(path: locked)) {
            try TLSContext(
                TLSSettings(certificateFile: certificates.path(.server), keyFile: locked)
            )
        }
    }
}

private func curl(
    _ port: Int,
    _ options: [String],
    target: String = "/"
) throws -> FinishedProcess {
    let authority = try Certificates.shared.get().path(.authority)
    return try FinishedProcess.run(
        "curl",
        ["-s", "--max-time", "20", "--cacert", authority] + options
            + ["https://localhost:\(port)\(target)"]
    )
}

/// The output of `openssl s_client` for a connection with one request.
private func client(_ port: Int, _ options: [String]) throws -> FinishedProcess {
    let authority = try Certificates.shared.get().path(.authority)
    return try FinishedProcess.run(
        "timeout",
        ["20", "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority]
            + ["-ign_eof"] + options,
        input: Array(get("/", "Connection: close\r\n").utf8)
    )
}
