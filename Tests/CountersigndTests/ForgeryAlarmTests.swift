import ProgramTesting
import TestSupport
import Testing

/// An attacker changes rows of a running verifier's database.
@Suite(.timeLimit(.minutes(5))) struct `A running verifier with a forged row` {
    private let premises: Premises
    private let token: String

    init() throws {
        premises = try Premises.initialized()
        try premises.write("{}", to: "policy.json")
        let policy = premises.path("policy.json")
        #expect(try premises.countersignd("policy", "set", "bank", policy, "--new").exitCode == 0)
        token = try premises.token("reader", "auditor")
        try premises.serve(with: nil)
    }

    private func status(_ path: String, of verifier: RunningVerifier) throws -> Int {
        try Fetched(
            "http://127.0.0.1:\(verifier.port)/bank/v1/enterprises/\(path)",
            "-H",
            "Authorization: Bearer \(token)"
        ).status
    }

    private static let promotion = "UPDATE bank_tokens SET role = 'administrator'"

    @Test func `SEC-101: rejects a token with another role, and names its row everywhere`() throws {
        let verifier = try RunningVerifier(premises)
        #expect(try status("bank/audit", of: verifier) == 200)
        try premises.sqlite3(Self.promotion)
        #expect(try status("bank/audit", of: verifier) == 401)
        #expect(try status("bank/policy", of: verifier) == 401)
        let line = try verifier.wait(for: #""message":"row not authentic""#)
        #expect(line.contains(#""level":"error""#))
        let row = try #require(line.firstMatch(of: /"row":"(bank_tokens id=[0-9a-f]{32})"/)).1
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        let metrics = try Fetched(operation + "/metrics").body
        #expect(metrics.contains("countersign_forged_rows{store=\"database\"} 1\n"), "\(metrics)")
        #expect(metrics.contains("countersign_alarms_total{event=\"credential.locked\"} 0\n"))
        #expect(try Fetched(operation + "/health/ready").status == 200)
        try verifier.waitForRecord(of: premises, "store.row-forged")
        let subject = "SELECT subject FROM audit WHERE kind = 'store.row-forged'"
        #expect(try premises.sqlite3(subject) == row)
        #expect(verifier.stop() == 0)
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.output.contains(": differs from the store in \(row)\n"), "\(audit.output)")
    }

    private func put(_ old: String, by new: String) throws {
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        try premises.write(text.replacing(old, with: new), to: "countersignd.json")
    }

    @Test(arguments: [0, 30])
    func `audits the store only if the configuration has an interval`(_ minutes: Int) throws {
        try put(#""auditMinutes": 30"#, by: "\"auditMinutes\": \(minutes)")
        let verifier = try RunningVerifier(premises)
        let metrics = try Fetched("http://127.0.0.1:\(verifier.operationPort)/metrics").body
        let age = "\ncountersign_audit_age_seconds{store=\"database\"} "
        #expect(metrics.contains(age) == (minutes > 0), "\(metrics)")
        #expect(verifier.stop() == 0)
    }

    /// Each row is authentic, so only the background audit finds it.
    @Test func `SEC-101: reports a row that was put back while it was stopped`() throws {
        let attach = "ATTACH '\(premises.path("kept.db"))' AS kept;"
        try premises.sqlite3(attach + "CREATE TABLE kept.tokens AS SELECT * FROM bank_tokens")
        #expect(try premises.countersignd("token", "revoke", "reader", "--yes").exitCode == 0)
        let back = """
            DELETE FROM bank_tokens; INSERT INTO bank_tokens SELECT * FROM kept.tokens
            """
        try premises.sqlite3(attach + back)
        let verifier = try RunningVerifier(premises)
        let line = try verifier.wait(for: #""message":"row not authentic""#)
        #expect(line.contains("bank_tokens id="))
        #expect(verifier.stop() == 0)
    }

    @Test func `is not ready if the configuration demands it`() throws {
        try put(#""forgedRows": "report""#, by: #""forgedRows": "notReady""#)
        let verifier = try RunningVerifier(premises)
        let ready = "http://127.0.0.1:\(verifier.operationPort)/health/ready"
        #expect(try Fetched(ready).status == 200)
        try premises.sqlite3(Self.promotion)
        #expect(try status("bank/audit", of: verifier) == 401)
        let refused = try Fetched(ready)
        #expect(refused.status == 503)
        #expect(refused.body.hasPrefix("store.forged\n"))
        #expect(verifier.stop() == 0)
    }
}

extension RunningVerifier {
    /// Waits until the trail has a record of this kind.
    fileprivate func waitForRecord(of premises: Premises, _ kind: String) throws {
        let select = "SELECT count(*) FROM audit WHERE kind = '\(kind)'"
        try spinUntil { try premises.sqlite3(select) != "0" }
    }
}
