import Foundation
import Glibc
import PrivateFiles
import ProgramTesting
import TestSupport
import Testing

/// Another machine is a name that is not `localhost`; its address here is a loopback address.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `A connection to PostgreSQL on another machine` {
    private let certificates: Certificates
    private let premises: Premises

    init() throws {
        certificates = try Certificates.shared.get()
        premises = try Premises()
        try premises.write("*:*:*:*:right\n", to: "passfile")
    }

    private func connection(_ host: String, port: Int) -> String {
        "\(host) port=\(port) dbname=store user=teller passfile=\(premises.path("passfile")) "
            + "sslrootcert=\(certificates.path(.authority))"
    }

    fileprivate static let bank = "host=bank.example hostaddr=127.0.0.1"

    private func output(of words: String...) throws -> (exitCode: Int32, text: String) {
        let run = try premises.countersignd(words)
        let text = (run.output + run.errorOutput).split(whereSeparator: \.isWhitespace)
        return (run.exitCode, text.joined(separator: " "))
    }

    @Test(arguments: [
        ("host=bank.example", "bank.example"),
        ("host=bank.example sslmode=disable", "bank.example"),
        ("host=bank.example sslmode=prefer", "bank.example"),
        ("host=bank.example sslmode=require", "bank.example"),
        ("host=bank.example sslmode=verify-ca", "bank.example"),
        ("host=bank.example hostaddr=127.0.0.1", "bank.example"),
        ("host=/run,localhost,bank.example", "bank.example"),
        ("host=localhost hostaddr=192.0.2.1", "192.0.2.1"),
        ("host=127.0.0.1.bank.example", "127.0.0.1.bank.example"),
        ("host=128.0.0.1", "128.0.0.1"),
        ("host=::2", "::2"),
    ])
    func `is refused without sslmode=verify-full, and names the host`(
        _ address: String,
        _ host: String
    ) throws {
        try premises.use(store: "\(address) dbname=store user=teller")
        for command in ["init", "doctor"] {
            let (exitCode, text) = try output(of: command)
            #expect(exitCode == (command == "init" ? 65 : 1))
            #expect(text.contains("store.postgresql names \(host) without sslmode=verify-full"))
            #expect(text.contains("hint: add sslmode=verify-full, and sslrootcert=FILE"))
        }
    }

    @Test func `is refused if only the environment names it`() throws {
        try premises.use(store: "dbname=store user=teller")
        let program = BuiltProducts.path(of: "countersignd")
        let found = try FinishedProcess.run(
            "env",
            ["PGHOST=bank.example", program, "init", "--config", premises.configuration]
        )
        #expect(found.exitCode == 65)
        #expect(found.errorOutput.contains("store.postgresql names bank.example"))
    }

    @Test func `is refused with a service, whose file could name it`() throws {
        try premises.use(store: "service=bank")
        let (exitCode, text) = try output(of: "init")
        #expect(exitCode == 65)
        #expect(
            text.contains("store.postgresql contains the keyword service, which is not accepted")
        )
    }

    @Test func `SEC-103: sends no password to a server that declines TLS`() throws {
        let thief = try PasswordThief()
        // Another client shows that the server is a thief.
        let address = connection(Self.bank, port: thief.port)
        _ = try PostgresServer.psql(["--command=SELECT 1"], in: address + " sslmode=prefer")
        #expect(thief.passwords == ["right"])
        let connections = thief.connectionCount

        try premises.use(store: address)
        #expect(try output(of: "init").exitCode == 65)
        #expect(thief.connectionCount == connections)

        try premises.use(store: address + " sslmode=verify-full")
        let (exitCode, text) = try output(of: "init")
        #expect(exitCode == 69)
        #expect(text.contains("server does not support SSL, but SSL was required"), "\(text)")
        #expect(thief.connectionCount > connections)
        #expect(thief.passwords == ["right"])
    }

    fileprivate func server(_ certificate: Certificates.Name) throws -> (PostgresServer, port: Int)
    {
        let port = try freePort()
        let server = try PostgresServer(
            syncs: false,
            tcpPort: UInt16(port),
            certificate: certificates.path(certificate)
        )
        for statement in [
            "CREATE ROLE teller LOGIN PASSWORD 'right'", "CREATE DATABASE store OWNER teller",
        ] {
            #expect(try server.query(statement) == "")
        }
        return (server, port)
    }

    @Test func `is made with a certificate of its name`() throws {
        let (server, port) = try server(.otherHost)
        try premises.use(store: connection(Self.bank, port: port) + " sslmode=verify-full")
        let (exitCode, text) = try output(of: "init")
        #expect(exitCode == 0, "\(text)")
        let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
        let verifier = try RunningVerifier(premises)
        let plain = try server.query("\(encrypted) WHERE usename = 'teller' AND NOT ssl")
        #expect(plain == "0")
        #expect(try server.query("\(encrypted) WHERE usename = 'teller' AND ssl") != "0")
        #expect(verifier.stop() == 0)
    }

    @Test func `is refused with a certificate of another name or another CA`() throws {
        for (certificate, reason) in [
            (.server, "does not match host name \"bank.example\""),
            (.foreign, "certificate verify failed"),
        ] as [(Certificates.Name, String)] {
            let (server, port) = try server(certificate)
            try premises.use(store: connection(Self.bank, port: port) + " sslmode=verify-full")
            let (exitCode, text) = try output(of: "init")
            #expect(exitCode == 69)
            #expect(text.contains(reason), "\(text)")
            _ = server
        }
    }

    /// A server that requests the password itself could pass it on to others.
    @Test func `sends no password that is not bound to the connection`() throws {
        let (server, port) = try server(.otherHost)
        try "hostssl all all 127.0.0.1/32 password\nlocal all all trust\n"
            .write(toFile: server.folder + "/data/pg_hba.conf", atomically: false, encoding: .utf8)
        #expect(try server.query("SELECT pg_reload_conf()") == "t")
        let address = connection(Self.bank, port: port) + " sslmode=verify-full"
        let other = try PostgresServer.psql(["--command=SELECT 4711"], in: address)
        #expect(other == "4711")
        for option in ["", " channel_binding=disable"] {
            try premises.use(store: address + option)
            let (exitCode, text) = try output(of: "init")
            #expect(exitCode == 69)
            #expect(text.contains("channel binding required"), "\(text)")
        }
    }
}

extension `A connection to PostgreSQL on another machine` {
    /// A role that a client certificate proves, and one that a password proves in clear text.
    private func serverOfTwoRoles() throws -> (PostgresServer, port: Int) {
        let (server, port) = try server(.otherHost)
        let data = server.folder + "/data"
        try FileManager.default.copyItem(
            atPath: certificates.path(.authority),
            toPath: data + "/clients.pem"
        )
        chmod(data + "/clients.pem", 0o644)
        try """
        hostssl all client 127.0.0.1/32 cert
        hostssl all all 127.0.0.1/32 password
        local all all trust

        """.write(toFile: data + "/pg_hba.conf", atomically: false, encoding: .utf8)
        for statement in [
            "CREATE ROLE client LOGIN", "ALTER DATABASE store OWNER TO client",
            "ALTER SYSTEM SET ssl_ca_file = 'clients.pem'",
        ] {
            #expect(try server.query(statement) == "")
        }
        #expect(try server.query("SELECT pg_reload_conf()") == "t")
        return (server, port)
    }

    @Test func `is made with a client certificate instead of a password`() async throws {
        let (server, port) = try serverOfTwoRoles()
        let address =
            "\(Self.bank) port=\(port) dbname=store user=client sslmode=verify-full "
            + "sslrootcert=\(certificates.path(.authority))"
        let file = certificates.path(.client)
        chmod(file, 0o600)
        let named = address + " sslcert=\(file) sslkey=\(file)"
        // The server takes some time to read its settings again.
        try await waitUntil {
            try PostgresServer.psql(["--command=SELECT 4711"], in: named) == "4711"
        }
        try premises.use(store: named)
        let made = try output(of: "init")
        #expect(made.exitCode == 0, "\(made.text)")
        for other in ["", " sslcert="] {
            try premises.use(store: address + other)
            let refused = try output(of: "doctor")
            #expect(refused.exitCode == 1)
            #expect(refused.text.contains("requires a valid client certificate"), "\(refused.text)")
        }
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [
        (" sslcert=", [:]), ("", ["PGSSLCERT": ""]), ("", ["PGSSLCERT": "/nowhere/client.pem"]),
        (" sslcert=", ["PGSSLCERT": "/nowhere/client.pem"]),
    ])
    func `sends no unbound password because of a certificate that is not named`(
        _ option: String,
        _ environment: [String: String]
    ) throws {
        let (server, port) = try serverOfTwoRoles()
        let address = connection(Self.bank, port: port) + " sslmode=verify-full" + option
        try premises.use(store: address)
        let run = try FinishedProcess.run(
            "env",
            [BuiltProducts.path(of: "countersignd"), "init", "--config", premises.configuration],
            environment: environment
        )
        #expect(run.exitCode == 69)
        #expect(run.errorOutput.contains("channel binding required"), "\(run.errorOutput)")
        withExtendedLifetime(server) {}
    }

    /// libpq would encrypt with Kerberos, which proves no name of the certificate.
    @Test func `never uses GSSAPI encryption`() throws {
        let (server, port) = try server(.otherHost)
        let address = connection(Self.bank, port: port) + " sslmode=verify-full"
        let other = try PostgresServer.psql(
            ["--command=SELECT 4711"],
            in: address + " gssencmode=require"
        )
        #expect(other.contains("GSSAPI"), "\(other)")
        try premises.use(store: address + " gssencmode=require")
        #expect(try output(of: "init").exitCode == 0)
        let run = try FinishedProcess.run(
            "env",
            [BuiltProducts.path(of: "countersignd"), "audit", "verify", "--config"]
                + [premises.configuration],
            environment: ["PGGSSENCMODE": "require"]
        )
        #expect(run.exitCode == 0, "\(run.errorOutput)")
        withExtendedLifetime(server) {}
    }

    /// A file of names, which another program may have changed, is the only trust in `localhost`.
    @Test(
        .enabled("needs root and namespaces: the test changes /etc/hosts and an address") {
            try geteuid() == 0
                && FinishedProcess.run("unshare", ["--mount", "--net", "ip", "link"]).exitCode == 0
        },
        arguments: [("192.0.2.1", 65), ("127.0.0.1", 0)]
    )
    func `is refused if localhost is its name`(_ address: String, _ exitCode: Int32) throws {
        let server = try PostgresServer(syncs: false)
        #expect(try server.query("CREATE DATABASE store") == "")
        let port = try freePort()
        try premises.use(store: "host=localhost port=\(port) dbname=store user=bank")
        try premises.write("\(address) localhost\n", to: "hosts")
        let script = """
            ip link set lo up
            ip address replace "$1/8" dev lo
            mount --bind "$2" /etc/hosts
            shift 2
            exec /usr/bin/python3 -c "$0" "$@"
            """
        let run = try FinishedProcess.run(
            "unshare",
            ["--mount", "--net", "sh", "-euc", script, Self.forwarder, address]
                + [premises.path("hosts"), address, "\(port)", "\(server.folder)/.s.PGSQL.5432"]
                + [BuiltProducts.path(of: "countersignd"), "init", "--config"]
                + [premises.configuration]
        )
        #expect(run.exitCode == exitCode, "\(run.errorOutput)")
        guard exitCode != 0 else { return }
        let text = run.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            text.contains(
                "store.postgresql names localhost, but the server is at 192.0.2.1, which is another "
                    + "machine hint: correct the address of localhost in /etc/hosts"
            ),
            "\(text)"
        )
        #expect(!text.contains("sslmode"))
    }

    /// Forwards a port to a Unix socket, which is reachable from another network, and runs a program.
    private static let forwarder = """
        import socket, subprocess, sys, threading

        def forward(source, target):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

        def serve(listener):
            while True:
                client, _ = listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(sys.argv[3])
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=forward, args=pair, daemon=True).start()

        listener = socket.create_server((sys.argv[1], int(sys.argv[2])))
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        sys.exit(subprocess.run(sys.argv[4:]).returncode)
        """
}

/// A server that declines TLS and requests the password in clear text.
private final class PasswordThief: Sendable {
    private let listener: LoopbackSocket
    private let seen = LockedValue((connections: 0, passwords: [String]()))

    var port: Int { listener.port }
    var passwords: [String] { seen.withLock { $0.passwords } }
    var connectionCount: Int { seen.withLock { $0.connections } }

    init() throws {
        listener = try LoopbackSocket(.listening)
        Thread.detachNewThread { [listener, seen] in
            // The end of this process ends the loop.
            while let client = try? OwnedDescriptor(accept(listener.descriptor.number, nil, nil)) {
                seen.withLock { $0.connections += 1 }
                guard let password = Self.password(from: client.number) else { continue }
                seen.withLock { $0.passwords.append(password) }
            }
        }
    }

    private static func password(from client: Int32) -> String? {
        var message = received(from: client)
        // SSLRequest, by its code.
        if message.count == 8, message.suffix(4) == [4, 210, 22, 47] {
            guard send(client, "N", 1, Int32(MSG_NOSIGNAL)) == 1 else { return nil }
            message = received(from: client)
        }
        guard !message.isEmpty else { return nil }
        // AuthenticationCleartextPassword
        let question: [UInt8] = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
        guard send(client, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else {
            return nil
        }
        let answer = received(from: client)
        guard answer.first == UInt8(ascii: "p") else { return nil }
        return String(decoding: answer.dropFirst(5).dropLast(), as: UTF8.self)
    }

    private static func received(from client: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        return Array(bytes[..<max(0, read(client, &bytes, bytes.count))])
    }
}
