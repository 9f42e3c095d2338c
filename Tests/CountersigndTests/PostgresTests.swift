import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(
    .enabled(
        if: PostgresServer.isInstalled,
        "Not run: /usr/lib/postgresql/15/bin holds no server (Debian's postgresql package)."
    )
)
struct `countersignd over PostgreSQL` {
    private let connection: String

    init() throws {
        connection = try PostgresServer.shared().makeDatabase()
    }

    @Test func `a store is created, rotated and audited`() throws {
        let premises = try Premises(on: connection)
        let result = try premises.countersignd("init")
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        #expect(result.output.contains("created  the store in PostgreSQL"))
        #expect(try premises.countersignd("init").exitCode == 0)
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        let moved = try premises.countersignd("rotate", "--remove-old-keys", "--yes")
        #expect(moved.exitCode == 0, "\(moved.errorOutput)")
        let audit = try premises.countersignd("audit", "verify")
        #expect(
            audit.output == """
                Verified: 2 records, the store and the journal.
                Signatures cover the records up to 2.

                """
        )
    }

    @Test func `a second verifier joins only with the keys of the first`() throws {
        let (first, second) = (try Premises(on: connection), try Premises(on: connection))
        #expect(try second.countersignd("init", "--join").exitCode == 66)
        #expect(try first.countersignd("init").exitCode == 0)
        // The trail has records, so the store is in use.
        #expect(try first.countersignd("rotate", "--add-key").exitCode == 0)
        #expect(try first.countersignd("rotate").exitCode == 0)

        let keyless = try second.countersignd("init", "--join")
        #expect(keyless.exitCode == 66)
        #expect(try second.files() == ["countersignd.json"])

        try second.copyKeys(from: first)
        let unjoined = try second.countersignd("init")
        #expect(unjoined.exitCode == 73)
        #expect(unjoined.errorOutput.contains("run countersignd init --join"))
        // A restored store without its journal looks the same.
        #expect(unjoined.errorOutput.contains("countersignd restore --journal-lost"))
        let text = String(decoding: try second.contents("countersignd.json"), as: UTF8.self)
        for next in ["nextAgreementKey", "nextResponseKey"] {
            let members = #""\#(next)": "keys/next", "checkpointKey""#
            let changed = text.replacing(#""checkpointKey""#, with: members)
            try second.write(changed, to: "countersignd.json")
            let refused = try second.countersignd("init", "--join")
            #expect(refused.exitCode == 66, "\(next)")
            #expect(refused.errorOutput.contains("keys/next does not"), "\(next)")
        }
        try second.write(text, to: "countersignd.json")
        let joined = try second.countersignd("init", "--join")
        #expect(joined.exitCode == 0, "\(joined.errorOutput)")
        for verifier in [first, second] {
            #expect(try verifier.countersignd("audit", "verify").exitCode == 0)
        }
    }

    @Test func `--from-backup restores a database that is not older than its journal`()
        throws
    {
        let premises = try Premises(on: connection)
        #expect(try premises.countersignd("init").exitCode == 0)
        #expect(try premises.countersignd("restore", "--yes").exitCode == 2)
        let restored = try premises.countersignd("restore", "--from-backup", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(restored.output.contains("in epoch 1"))
    }

    @Test func `backup refuses a store in PostgreSQL`() throws {
        let premises = try Premises(on: connection)
        #expect(try premises.countersignd("init").exitCode == 0)
        let refused = try premises.countersignd("backup", premises.path("copy"))
        #expect(refused.exitCode == 64)
        #expect(refused.errorOutput.contains("hint: use pg_basebackup"))
    }

    @Test func `SEC-101: a table that shows rows to one node only is refused by each command`()
        throws
    {
        let premises = try Premises(on: connection)
        #expect(try premises.countersignd("init").exitCode == 0)
        let database = connection.split(separator: "=").last.map(String.init) ?? ""
        _ = try PostgresServer.shared().query(
            """
            ALTER TABLE credentials ADD COLUMN fork inet DEFAULT inet_server_addr();
            ALTER TABLE credentials FORCE ROW LEVEL SECURITY;
            CREATE POLICY fork ON credentials USING (fork = inet_server_addr())
            """,
            in: database
        )
        let message = """
            the table credentials of the store in PostgreSQL has other columns or keys, or triggers, \
            rules or row security
            """
        for command in [["audit", "verify"], ["rotate"], ["init"], ["run"]] {
            let refused = try premises.countersignd(command)
            #expect(refused.exitCode == 65)
            #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        }
        let found = try premises.countersignd("doctor")
        #expect(found.exitCode == 1)
        #expect(found.output.contains(message), "\(found.output)")
    }

    @Test func `commands of an operator work`() throws {
        let premises = try Premises(on: connection)
        #expect(try premises.countersignd("init").exitCode == 0)
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        let policy = premises.path("policy.json")
        #expect(try premises.countersignd("policy", "set", "bank", policy, "--new").exitCode == 0)
        try premises.write(
            """
            enterprise,account_type,account_id,token_serial,token_secret_hex
            bank,main,4711,S-1,\(String(repeating: "5a", count: 20))

            """,
            to: "accounts.csv"
        )
        #expect(try premises.countersignd("load", premises.path("accounts.csv")).exitCode == 0)
        let account = "bank/main/4711"
        let shown = try premises.countersignd("account", "show", account)
        #expect(shown.output.contains("\tS-1\tactive\t"), "\(shown.errorOutput)")
        #expect(try premises.countersignd("activation", "create", account).exitCode == 0)
        try premises.write(String(repeating: "0f", count: 16), to: "key")
        let left = try premises.countersignd(
            "export",
            "--pskc",
            premises.path("out.xml"),
            "--key",
            premises.path("key"),
            "--enterprise",
            "bank",
            "--account-type",
            "main"
        )
        #expect(left.exitCode == 0, "\(left.errorOutput)")
        #expect(left.output.contains("Exported 1 token to "))
        let examined = try premises.countersignd("doctor")
        for part in ["store", "journal", "disk", "deliveries"] {
            #expect(examined.output.contains("\(part): ok\n"), "\(examined.output)")
        }
        #expect(try premises.countersignd("audit", "report").exitCode == 0)
    }

    @Test func `an unreachable server is reported`() throws {
        let premises = try Premises(on: "host=/nonexistent dbname=bank")
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 69)
        let reason = #"connection to server on socket "/nonexistent/.s.PGSQL.5432" failed: "#
        #expect(
            refused.errorOutput.hasPrefix("countersignd: cannot connect to PostgreSQL: " + reason)
        )
        #expect(try premises.files() == ["countersignd.json"])
    }

    @Test(arguments: [
        (" dbname=none", #"FATAL: database "none" does not exist"#),
        (" user=stranger", #"FATAL: role "stranger" does not exist"#),
        (" port=1", "failed: No such file or directory; Is the server running locally"),
        (" host=127.0.0.1 port=1", "failed: Connection refused; Is the server running on that"),
    ])
    func `libpq's own reason is printed`(_ option: String, _ reason: String) async throws {
        let database = try PostgresServer.shared().makeDatabase()
        let refused = try Premises(on: database + option).countersignd("init")
        #expect(refused.exitCode == 69)
        #expect(refused.errorOutput.contains("cannot connect to PostgreSQL: connection to server"))
        #expect(refused.errorOutput.contains(reason), "\(refused.errorOutput)")
        #expect(refused.errorOutput.count { $0.isNewline } == 2)
    }

    @Test(arguments: ["host=/tmp password=hunter2", "no connection string"])
    func `passwords and malformed connection strings are rejected without printing them`(
        _ connection: String
    ) throws {
        let premises = try Premises(on: connection)
        let refused = try premises.countersignd("init")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("passfile="))
        #expect(!refused.errorOutput.contains("hunter2"))
    }

    @Test func `a database that was put back is restored`() throws {
        let premises = try Premises(on: connection)
        #expect(try premises.countersignd("init").exitCode == 0)
        let database = String(try #require(connection.split(separator: "dbname=").last))
        let server = try PostgresServer.shared()
        #expect(
            try server.query("CREATE TABLE kept AS SELECT * FROM verifier", in: database) == ""
        )
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        #expect(try premises.countersignd("rotate").exitCode == 0)
        // As if the database were older than the rotation.
        let back = """
            DELETE FROM audit; DELETE FROM outbox; DELETE FROM verifier;
            INSERT INTO verifier SELECT * FROM kept; DROP TABLE kept
            """
        #expect(try server.query(back, in: database) == "")
        #expect(try premises.countersignd("rotate").errorOutput.contains("countersignd restore"))
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }
}
