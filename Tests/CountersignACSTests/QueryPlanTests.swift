import Foundation
import TestSupport
import Testing

@Suite struct `The store of an ACS` {
    private func plan(_ statement: String) throws -> [String] {
        let folder = try CardFolder()
        let program = """
            import sqlite3, sys
            for step in sqlite3.connect(sys.argv[1]).execute("EXPLAIN QUERY PLAN " + sys.argv[2]):
                print(step[3])
            """
        let run = try FinishedProcess.run(
            "python3",
            ["-c", program, folder.acs.path("acs.db"), statement]
        )
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        return run.output.split(separator: "\n").map { String($0) }
    }

    @Test(arguments: ["live = 'card-1'", "live IS NOT NULL"])
    func `counts challenges with an index`(_ condition: String) throws {
        let plan = try plan("SELECT COUNT(*) FROM authentications WHERE \(condition)")
        #expect(plan.count == 1 && plan[0].contains(" COVERING INDEX authentications_live"))
    }

    @Test(arguments: [("due", " AND made >= 5"), ("result_due", ""), ("call_due", "")])
    func `finds due rows in their order, without sorting`(
        _ column: String,
        _ condition: String
    ) throws {
        let plan = try plan(
            """
            SELECT * FROM authentications \
            WHERE \(column) <= 2 AND (\(column), id) > (1, '')\(condition) \
            ORDER BY \(column), id LIMIT 3
            """
        )
        #expect(plan.count == 1 && plan[0].contains(" USING INDEX authentications_\(column) "))
    }

    @Test func `removes old authentications without reading or sorting the others`() throws {
        let plan = try plan(
            """
            DELETE FROM authentications WHERE id IN
                (SELECT id FROM authentications WHERE made < 5 AND (result_due IS NULL OR made < 2)
                ORDER BY made, id LIMIT 3)
            """
        )
        #expect(plan.contains { $0.contains(" INDEX authentications_made ") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN ") || $0.contains("ORDER BY") }, "\(plan)")
    }

    @Test func `removes old AReses without reading or sorting the others`() throws {
        let plan = try plan(
            """
            DELETE FROM responses WHERE authentication IN
                (SELECT authentication FROM responses WHERE made < 5
                AND NOT EXISTS (SELECT 1 FROM authentications WHERE id = authentication)
                ORDER BY made LIMIT 3)
            """
        )
        #expect(plan.contains { $0.contains(" INDEX responses_made ") }, "\(plan)")
        #expect(plan.contains { $0.hasPrefix("SEARCH authentications USING ") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN ") || $0.contains("ORDER BY") }, "\(plan)")
    }

    @Test func `removes old checks of values without reading or sorting the others`() throws {
        let plan = try plan(
            """
            DELETE FROM checks WHERE key IN
                (SELECT key FROM checks WHERE made < 5 ORDER BY made LIMIT 3)
            """
        )
        #expect(plan.contains { $0.contains(" INDEX checks_made ") }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN ") || $0.contains("ORDER BY") }, "\(plan)")
    }
}
