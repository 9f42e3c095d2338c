import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The work of a process without requests.
@Suite(.timeLimit(.minutes(5))) struct `Housekeeping of a running verifier` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.serve(with: nil)
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        let rows = (1...3).map { number in
            "bank,main,471\(number),A-\(number),\(String(repeating: "5a", count: 20))\n"
        }
        try premises.write(
            "enterprise,account_type,account_id,token_serial,token_secret_hex\n" + rows.joined(),
            to: "accounts.csv"
        )
        for words in [
            ["policy", "set", "bank", premises.path("policy.json"), "--new"],
            ["load", premises.path("accounts.csv")],
        ] {
            let run = try premises.countersignd(words)
            try #require(run.exitCode == 0, "\(run.errorOutput)")
        }
    }

    /// The events for a webhook, if there were one.
    private func revokeTokens(_ verifier: RunningVerifier, showing header: String) throws {
        for number in 1...3 {
            let account = "/bank/v1/enterprises/bank/accounts/main/471\(number)"
            let devices = "http://127.0.0.1:\(verifier.port)\(account)/devices"
            let list = try Fetched(devices, "-H", header).body
            let id = try #require(list.firstMatch(of: /"id":"([0-9a-f]{32})"/)).1
            #expect(try Fetched("\(devices)/\(id)", "-XDELETE", "-H", header).status == 204)
        }
    }

    private func wait(for output: String, of query: String) throws {
        try spinUntil { try premises.sqlite3(query) == output }
    }

    @Test func `old transactions are deleted, and the audit trail still verifies`()
        throws
    {
        let header = "Authorization: Bearer \(try premises.token("core", "customerService"))"
        // The webhook of the new token.
        #expect(try premises.sqlite3("DELETE FROM outbox") == "")
        let delivered = "SELECT COUNT(*) FROM outbox WHERE state = 1"
        let first = try RunningVerifier(premises)
        try revokeTokens(first, showing: header)
        try wait(for: "3", of: delivered)
        #expect(first.stop() == 0)

        // One is older than the retention period, another is a day younger.
        let day = 24 * 60 * 60
        for (account, age) in [("4711", 31 * day), ("4712", 6 * day)] {
            let moment = "(unixepoch() - \(age)) * 1000"
            let change = "UPDATE outbox SET due = \(moment) WHERE account_id = '\(account)'"
            #expect(try premises.sqlite3(change) == "")
        }
        let second = try RunningVerifier(premises)
        let left =
            "SELECT group_concat(account_id, ' ') FROM (SELECT account_id FROM outbox "
            + "ORDER BY account_id)"
        try wait(for: "4712 4713", of: left)
        #expect(second.stop() == 0)
        #expect(try premises.sqlite3(left) == "4712 4713")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 0, "\(audit.output)\(audit.errorOutput)")
    }
}
