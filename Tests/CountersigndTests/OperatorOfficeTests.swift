import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Commands of an administrator and an auditor, over the network.
@Suite(.timeLimit(.minutes(5))) struct `Commands without the store` {
    private let premises: Premises
    private let running: RunningVerifier

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill()
        try premises.serve(with: nil)
        for role in ["administrator", "auditor"] {
            let token = try premises.token(role, role, reaching: ["--all"])
            try premises.write(token, to: role + ".token")
        }
        running = try RunningVerifier(premises)
    }

    private func countersignd(_ words: String..., as role: String = "administrator") throws
        -> FinishedProcess
    {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            words + [
                "--server", "http://127.0.0.1:\(running.port)", "--token",
                premises.path(role + ".token"),
            ]
        )
    }

    @Test func `a policy is created, replaced and shown over the network`() throws {
        let path = premises.path("policy.json")
        try premises.write(#"{"lookAhead": 5}"#, to: "policy.json")
        let unknown = try countersignd("policy", "set", "other", path)
        #expect(unknown.exitCode == 66)
        #expect(
            unknown.errorOutput == """
                countersignd: this enterprise does not exist
                hint: countersignd enterprise list shows the enterprises; --new creates one; \
                a token of one enterprise cannot see other enterprises

                """
        )
        let result = try countersignd("policy", "set", "other", path, "--new")
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        #expect(
            result.output.contains(
                "\nOf 100,000 stolen devices whose thief guesses until the first lock, about 3 "
                    + "open; the maximum is 10.\n"
            )
        )
        try premises.write("{}", to: "policy.json")
        #expect(try countersignd("policy", "set", "other", path, "--new").exitCode == 73)
        #expect(try countersignd("policy", "set", "other", path, as: "auditor").exitCode == 77)
        #expect(try countersignd("policy", "show", "other").output == "{\"lookAhead\": 5}\n")
        #expect(try countersignd("policy", "set", "other", path).exitCode == 0)
        #expect(try countersignd("policy", "show", "other").output == "{}\n")
        #expect(try premises.countersignd("policy", "show", "other").output == "{}\n")
        #expect(try countersignd("policy", "show", "..").exitCode == 64)
        let actors = "SELECT DISTINCT actor FROM audit WHERE subject = 'other'"
        #expect(try premises.sqlite3(actors) == "token:administrator")
        #expect(running.stop() == 0)
        #expect(try countersignd("policy", "show", "other").exitCode == 69)
    }

    @Test func `dead letters are listed and retried over the network`() throws {
        let rows = [(1, 1), (1, 2), (2, 1)].map {
            "(\($0), \($1), 'bank', 'main', '4711', 's', 0, 0, 16, 2)"
        }
        let columns = """
            (sequence, target, enterprise, account_type, account_id, subject, started, due, tries, state)
            """
        let insertion = "INSERT INTO outbox \(columns) VALUES \(rows.joined(separator: ", "))"
        #expect(try premises.sqlite3(insertion) == "")
        let list = try countersignd("outbox", "list", "--dead")
        #expect(list.exitCode == 0, "\(list.errorOutput)")
        #expect(list.output == (try premises.countersignd("outbox", "list", "--dead")).output)
        #expect(list.output.split(separator: "\n").count == 3)
        let refused = try countersignd("outbox", "retry", "1", "--target", "push", as: "auditor")
        #expect(refused.exitCode == 77)
        let retried = try countersignd("outbox", "retry", "1", "--target", "push")
        #expect(retried.output == "Scheduled for a retry: 1 delivery.\n", "\(retried.errorOutput)")
        #expect(
            try countersignd("outbox", "retry", "1", "--target", "push", "--dead").exitCode == 2
        )
        let dead = "SELECT group_concat(sequence || ':' || target, ' ') FROM outbox WHERE state = 2"
        #expect(try premises.sqlite3(dead) == "1:1 2:1")
    }

    @Test func `the exported trail equals the store's`() throws {
        let whole = try countersignd("audit", "export", as: "auditor")
        #expect(whole.exitCode == 0, "\(whole.errorOutput)")
        #expect(whole.output == (try premises.countersignd("audit", "export")).output)
        #expect(whole.output.split(separator: "\n").count > 3)
        let file = premises.path("rest.jsonl")
        #expect(
            try countersignd("audit", "export", "--after", "2", "-o", file, as: "auditor").exitCode
                == 0
        )
        let rest = String(decoding: try premises.contents("rest.jsonl"), as: UTF8.self)
        #expect(rest == whole.output.split(separator: "\n").dropFirst(2).map { $0 + "\n" }.joined())
        #expect(try countersignd("audit", "export").exitCode == 77)
        let one = try premises.token("one", "auditor")
        try premises.write(one, to: "one.token")
        #expect(try countersignd("audit", "export", as: "one").exitCode == 66)
    }
}
