import Foundation
import TestSupport
import Testing

@Suite struct `The store of an ACS` {
    @Test(arguments: ["live = 'card-1'", "live IS NOT NULL"])
    func `counts challenges with an index`(_ condition: String) throws {
        let folder = try CardFolder()
        let program = """
            import sqlite3, sys
            statement = "EXPLAIN QUERY PLAN SELECT COUNT(*) FROM authentications WHERE " + sys.argv[2]
            for step in sqlite3.connect(sys.argv[1]).execute(statement):
                print(step[3])
            """
        let run = try FinishedProcess.run(
            "python3",
            ["-c", program, folder.acs.path("acs.db"), condition]
        )
        let plan = run.output.split(separator: "\n")
        #expect(plan.count == 1 && plan[0].contains(" COVERING INDEX authentications_live"))
    }
}
