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

    private static let bank = "host=bank.example hostaddr=127.0.0.1"

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
        #expect(text.contains("is not a connection string, or contains a password or a service"))
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

    private func server(_ certificate: Certificates.Name) throws -> (PostgresServer, port: Int) {
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
