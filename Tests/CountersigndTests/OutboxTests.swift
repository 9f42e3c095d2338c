import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `countersignd outbox` {
    /// Dead letters of two records, one of them with both targets, and a waiting delivery.
    private func premises() async throws -> Premises {
        let premises = try Premises.initialized()
        try await premises.fill()
        #expect(try premises.sqlite3("DELETE FROM outbox") == "")
        let columns = """
            (sequence, target, enterprise, account_type, account_id, subject, started, due, tries, state)
            """
        let rows = [(1, 1, 16, 2), (1, 2, 16, 2), (2, 1, 16, 2), (3, 1, 1, 0)].map {
            "(\($0), \($1), 'bank', 'main', '4711', 's', 0, 0, \($2), \($3))"
        }
        let insertion = "INSERT INTO outbox \(columns) VALUES \(rows.joined(separator: ", "))"
        #expect(try premises.sqlite3(insertion) == "")
        return premises
    }

    @Test func `list shows dead letters and waiting deliveries`() async throws {
        let premises = try await premises()
        let list = try premises.countersignd("outbox", "list")
        #expect(
            list.output == """
                1\twebhook\tdead\t16\tnever\tbank/main/4711
                1\tpush\tdead\t16\tnever\tbank/main/4711
                2\twebhook\tdead\t16\tnever\tbank/main/4711
                3\twebhook\twaiting\t1\tin 0 s\tbank/main/4711

                """
        )
        let dead = try premises.countersignd("outbox", "list", "--dead")
        #expect(dead.output.split(separator: "\n").count == 3)
        let shown = try JSONObject(premises.countersignd("outbox", "list", "--json").output)
        #expect(shown["deliveries", 3]?.text("state") == "waiting")
        #expect(shown["deliveries", 3]?.text("enterprise") == "bank")
        #expect(try premises.onTerminal("outbox list").output.contains(/RECORD +TARGET +STATE/))
    }

    @Test func `retry --all starts with the oldest delivery`() async throws {
        let premises = try await premises()
        let columns = "sequence = sequence + 7, state = 2"
        #expect(try premises.sqlite3("UPDATE outbox SET \(columns) WHERE target = 1") == "")
        #expect(try premises.countersignd("outbox", "retry", "--all").exitCode == 0)
        let behind = "SELECT group_concat(sequence, ' ') FROM outbox WHERE due IS NULL"
        #expect(try premises.sqlite3(behind) == "9 10")
    }

    /// Two later deliveries of the account wait for the one of record 3.
    private func premisesWithQueue() async throws -> Premises {
        let premises = try await premises()
        let columns = "sequence, target, enterprise, account_type, account_id, subject, started"
        let rows = [4, 5].map { "(\($0), 1, 'bank', 'main', '4711', 's', 0, NULL, 0, 0)" }
        let insertion = "INSERT INTO outbox (\(columns), due, tries, state) VALUES "
        #expect(try premises.sqlite3(insertion + rows.joined(separator: ", ")) == "")
        // The next attempt of record 3 is far away.
        #expect(try premises.sqlite3("UPDATE outbox SET due = 9000000000000 WHERE due = 0") == "")
        return premises
    }

    @Test func `list names the record that a delivery waits for`() async throws {
        let premises = try await premisesWithQueue()
        let list = try premises.countersignd("outbox", "list").output
        #expect(
            list.hasSuffix(
                """
                4\twebhook\twaiting\t0\tafter 3\tbank/main/4711
                5\twebhook\twaiting\t0\tafter 3\tbank/main/4711

                """
            )
        )
        let shown = try JSONObject(premises.countersignd("outbox", "list", "--json").output)
        #expect((3...5).map { shown["deliveries", $0]?.text("waitsFor") } == [nil, "3", "3"])
        #expect(try premises.onTerminal("outbox list").output.contains("  after 3  "))
    }

    @Test func `retry makes a waiting delivery due, but not one behind it`() async throws {
        let premises = try await premisesWithQueue()
        let behind = try premises.countersignd("outbox", "retry", "5")
        #expect(behind.exitCode == 2)
        #expect(
            behind.errorOutput == """
                countersignd: the delivery of record 5 waits for record 3
                hint: run countersignd outbox retry 3 --config \(premises.configuration)

                """
        )
        let due = """
            SELECT group_concat(sequence || ':' || (due IS NOT NULL AND due < 9000000000000), ' ')
            FROM outbox WHERE state = 0
            """
        #expect(try premises.sqlite3(due) == "3:0 4:0 5:0")
        let dead = try premises.countersignd("outbox", "retry", "3", "--dead")
        #expect(dead.exitCode == 2)
        #expect(dead.errorOutput.hasPrefix("countersignd: there is no such dead letter\n"))
        #expect(try premises.sqlite3(due) == "3:0 4:0 5:0")
        let retried = try premises.countersignd("outbox", "retry", "3")
        #expect(retried.output == "Scheduled for a retry: 1 delivery.\n", "\(retried.errorOutput)")
        #expect(try premises.sqlite3(due) == "3:1 4:0 5:0")
        let list = try premises.countersignd("outbox", "list").output
        #expect(list.contains("3\twebhook\twaiting\t1\tin 0 s\tbank/main/4711\n"))
    }

    @Test func `an empty list exits with 2`() async throws {
        let premises = try Premises.initialized()
        #expect(try premises.countersignd("outbox", "list").exitCode == 2)
    }

    @Test(arguments: [
        (["1"], "2 deliveries", "2:1"), (["1", "--target", "push"], "1 delivery", "1:1 2:1"),
        (["--all", "--target", "push"], "1 delivery", "1:1 2:1"),
        (["--all"], "4 deliveries", ""), (["--all", "--dead"], "3 deliveries", ""),
        (["3"], "1 delivery", "1:1 1:2 2:1"),
    ])
    func `retry schedules the selected deliveries`(
        _ words: [String],
        expected: String,
        left: String
    ) async throws {
        let premises = try await premises()
        let retried = try premises.countersignd(["outbox", "retry"] + words)
        #expect(retried.output == "Scheduled for a retry: \(expected).\n", "\(retried.errorOutput)")
        let dead = "SELECT group_concat(sequence || ':' || target, ' ') FROM outbox WHERE state = 2"
        #expect(try premises.sqlite3(dead) == left)
    }

    @Test(
        arguments: [
            (["3", "--dead"], 2), (["7"], 2), ([], 64), (["1", "--all"], 64),
            (["--all", "--target", "pushes"], 64), (["x"], 64),
            (["9223372036854775807"], 2), (["9223372036854775808"], 64),
            (["18446744073709551615"], 64),
        ] as [([String], Int32)]
    )
    func `retry rejects deliveries that do not exist`(
        _ words: [String],
        exitCode: Int32
    ) async throws {
        let premises = try await premises()
        #expect(try premises.countersignd(["outbox", "retry"] + words).exitCode == exitCode)
    }
}
