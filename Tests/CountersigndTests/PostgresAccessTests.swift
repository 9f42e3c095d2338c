import Foundation
import ProgramTesting
import TestSupport
import Testing

/// A server over TCP with TLS and passwords, which refuses a verifier.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `A verifier that PostgreSQL refuses` {
    private let server: PostgresServer
    private let premises: Premises
    private let authority: String
    private let connection: String

    init() throws {
        let certificates = try Certificates.shared.get()
        let port = UInt16(try freePort())
        server = try PostgresServer(
            syncs: false,
            tcpPort: port,
            certificate: certificates.path(.server)
        )
        _ = try server.query("CREATE ROLE teller LOGIN PASSWORD 'right'")
        _ = try server.query("CREATE DATABASE store")
        authority = certificates.path(.authority)
        premises = try Premises()
        connection =
            "host=localhost hostaddr=127.0.0.1 port=\(port) dbname=store user=teller "
            + "passfile=\(premises.path("passfile")) sslmode=verify-full"
        try use("sslrootcert=\(authority)")
        try usePassword("right")
    }

    private func usePassword(_ password: String) throws {
        try premises.write("*:*:*:*:\(password)\n", to: "passfile")
    }

    private func use(_ options: String) throws {
        try premises.use(store: connection + " " + options)
    }

    private static let grant = "GRANT CREATE ON SCHEMA public TO teller"

    private func initialize() throws {
        try execute(Self.grant, in: "store")
        let result = try premises.countersignd("init")
        try #require(result.exitCode == 0, "\(result.errorOutput)")
    }

    private func expectRefusal(
        by words: String,
        _ exitCode: Int32,
        _ message: Regex<Substring>,
        hint: String
    ) throws {
        let refused = try premises.countersignd(words.split(separator: " ").map(String.init))
        #expect(refused.exitCode == exitCode)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(refused.errorOutput.hasSuffix("\nhint: \(hint)\n"), "\(refused.errorOutput)")
        #expect(!refused.errorOutput.contains("wrong"))
    }

    private func expectFinding(_ message: Regex<Substring>, hint: String) throws {
        let found = try premises.countersignd("doctor")
        #expect(found.exitCode == 1)
        #expect(found.output.contains(message), "\(found.output)")
        #expect(found.output.contains("\n  hint: \(hint)\n"), "\(found.output)")
    }

    /// Runs a verifier until the server refuses it, and returns the line about the outage.
    private func outage(after change: () throws -> Void) throws -> String {
        try premises.write("{}", to: "policy.json")
        let policy = premises.path("policy.json")
        #expect(try premises.countersignd("policy", "set", "bank", policy, "--new").exitCode == 0)
        let token = try premises.token("core", "issuer")
        let verifier = try RunningVerifier(premises)
        try change()
        let response = try Fetched(
            "http://127.0.0.1:\(verifier.port)/bank/v1/enterprises/bank/accounts/main/4711",
            "-XPUT",
            "-H",
            "Authorization: Bearer \(token)"
        )
        #expect(response.status == 503)
        let line = try verifier.wait(for: #""message":"outage began""#)
        #expect(verifier.stop() == 0)
        return line
    }

    /// Expects `unavailable`, or `uncertain` if the session ended during a commit.
    private func expectOutage(_ line: String) {
        #expect(line.contains(/"failure":"store\.(unavailable|uncertain)"/), "\(line)")
    }

    private func execute(_ statement: String, in database: String = "postgres") throws {
        #expect(try server.query(statement, in: database) == "")
    }

    private func endSessions() throws {
        _ = try server.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'teller'"
        )
    }

    private static let usualHint =
        "check that it is running, and check store.postgresql and its passfile"

    /// libpq would write a warning of its own to the log at each attempt.
    @Test func `for a password file that others can read names the file`() throws {
        try initialize()
        let path = premises.path("passfile")
        let mode = { (mode: Int) in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try mode(0o644)
        try expectRefusal(
            by: "rotate",
            77,
            /cannot connect to PostgreSQL: other users can access .*passfile\n/,
            hint: "run chmod 600 on it"
        )
        try mode(0o600)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `for a wrong password prints the server's reason`() throws {
        try initialize()
        try usePassword("wrong")
        try expectRefusal(
            by: "rotate",
            69,
            /cannot connect to PostgreSQL: .* password authentication failed for user "teller"/,
            hint: Self.usualHint
        )
        try expectFinding(
            /cannot connect to PostgreSQL: .* password authentication failed for user "teller"/,
            hint: Self.usualHint
        )
        try usePassword("right")
        let line = try outage {
            try execute("ALTER ROLE teller PASSWORD 'other'")
            try endSessions()
        }
        expectOutage(line)
        #expect(line.contains(#"password authentication failed for user \"teller\""#), "\(line)")
    }

    @Test func `for a certificate of another CA prints libpq's reason`() throws {
        try initialize()
        let other = try Certificates.shared.get().path(.otherAuthority)
        try use("sslrootcert=\(other)")
        try expectRefusal(
            by: "rotate",
            69,
            /cannot connect to PostgreSQL: .* SSL error: certificate verify failed/,
            hint: Self.usualHint
        )
        try expectFinding(
            /cannot connect to PostgreSQL: .* SSL error: certificate verify failed/,
            hint: Self.usualHint
        )
        try use("sslrootcert=\(authority)")
        let line = try outage {
            try server.reload(certificate: Certificates.shared.get().path(.foreign))
            let address = "\(connection) sslrootcert=\(authority)"
            try spinUntil {
                try PostgresServer.psql(["--command=SELECT 1"], in: address)
                    .contains("certificate verify failed")
            }
            try endSessions()
        }
        expectOutage(line)
        #expect(line.contains("SSL error: certificate verify failed"), "\(line)")
    }

    private static let rights = """
        grant the user access to the schema, and SELECT, INSERT, UPDATE and DELETE on its tables; \
        init and migrations need CREATE and the tables' owner
        """

    @Test func `for a missing right names the schema, and the right to grant`() throws {
        try expectRefusal(
            by: "init",
            77,
            /lacks a right on the store in PostgreSQL \(permission denied for schema public, SQLST/,
            hint: Self.rights
        )
        try initialize()
    }

    @Test func `for a missing right names the table, and the right to grant`() throws {
        try initialize()
        // As if another user had created the store.
        let tables = "REASSIGN OWNED BY teller TO bank; "
        try execute(tables + Self.grant, in: "store")
        try expectRefusal(
            by: "token list",
            77,
            /lacks a right on the store in PostgreSQL \(permission denied for table counter.*, SQLST/,
            hint: Self.rights
        )
        try expectFinding(
            /lacks a right on the store in PostgreSQL \(permission denied for table counter.*, SQLST/,
            hint: Self.rights
        )
        let rights = "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO teller"
        try execute(rights, in: "store")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        let line = try outage {
            try execute("REVOKE INSERT ON accounts FROM teller", in: "store")
        }
        #expect(line.contains(#""failure":"store.missingRight""#))
        let reason = """
            "reason":"the user of the connection lacks a right on the store (permission denied for \
            table accounts, SQLSTATE 42501); \(Self.rights)"
            """
        #expect(line.contains(reason), "\(line)")
    }

    private static let primary =
        "connect to the primary, or set default_transaction_read_only to off on the server"

    @Test func `for a read-only server names the setting`() throws {
        try initialize()
        let setting = "ALTER DATABASE store SET default_transaction_read_only"
        try execute("\(setting) = on")
        try expectRefusal(
            by: "rotate",
            69,
            /cannot connect to PostgreSQL: .* session is read-only/,
            hint: Self.primary
        )
        try expectFinding(
            /cannot connect to PostgreSQL: .* session is read-only/,
            hint: Self.primary
        )
        try use("sslrootcert=\(authority) target_session_attrs=any")
        try expectRefusal(
            by: "rotate",
            77,
            /cannot open the store in PostgreSQL for writing \(SQLSTATE 25006\)/,
            hint: Self.primary
        )
        try expectFinding(
            /cannot open the store in PostgreSQL for writing \(SQLSTATE 25006\)/,
            hint: Self.primary
        )
        try execute("\(setting) = off")
        try use("sslrootcert=\(authority)")
        let line = try outage {
            try execute("\(setting) = on")
            try endSessions()
        }
        #expect(line.contains("session is read-only); \(Self.primary)\""), "\(line)")
    }

    /// One session writes, and others read.
    @Test func `for some of its sessions is not ready`() throws {
        try initialize()
        let verifier = try RunningVerifier(premises)
        try execute("ALTER ROLE teller CONNECTION LIMIT 1")
        try endSessions()
        let ready = try Fetched("http://127.0.0.1:\(verifier.operationPort)/health/ready")
        #expect(ready.status == 503, "\(ready.body)")
        try execute("ALTER ROLE teller CONNECTION LIMIT -1")
        #expect(verifier.stop() == 0)
    }

    @Test func `measures the certificate files of the connection`() throws {
        try initialize()
        let verifier = try RunningVerifier(premises)
        let metrics = try Fetched("http://127.0.0.1:\(verifier.operationPort)/metrics").body
        let sample = "countersign_certificate_expiry_seconds{file=\"\(authority)\"} "
        let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix(sample) })
        // Less than 90 days.
        let seconds = try #require(Int(line.dropFirst(sample.count)))
        #expect(seconds / 86_400 == 89)
        #expect(verifier.stop() == 0)
    }
}
