import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `The operation endpoint of an ACS` {
    private let premises: IssuerPremises

    init() throws {
        premises = try IssuerPremises()
    }

    private func fetch(_ path: String, _ options: String...) throws -> Fetched {
        try Fetching("http://127.0.0.1:\(premises.ports.operation)\(path)", options).end()
    }

    @Test func `reports health, and logs passed checks as details`() throws {
        for (path, status) in [
            ("/health/live", 200), ("/health/ready", 200), ("/health/other", 404),
        ] {
            #expect(try fetch(path).status == status, "\(path)")
        }
        #expect(try fetch("/health/live", "--head").status == 200)
        #expect(try fetch("/health/live", "-XPOST").status == 405)
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0)
        let lines = log.filter { $0.contains(#""listener":"operation""#) }
        let words = lines.map { line in
            [#""level":"debug""#, #""level":"info""#].map { line.contains($0) }
        }
        #expect(
            words == [
                [true, false], [true, false], [false, true], [true, false], [false, true],
            ]
        )
        #expect(lines.first?.contains(#""route":"GET /health/live","status":200"#) == true)
        // A path of a stranger is not in the log.
        #expect(!log.contains { $0.contains("other") })
    }

    @Test func `is not ready without its store`() throws {
        #expect(try fetch("/health/ready").body == "ready\n")
        let database = premises.folder.path("acs.db")
        let attack = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1]).executescript("DROP TABLE cards")
            """
        let run = try FinishedProcess.run("python3", ["-c", attack, database])
        try #require(run.exitCode == 0, "\(run.errorOutput)")
        let refused = try fetch("/health/ready")
        #expect(refused.status == 503 && refused.body == "store.unavailable\n")
        #expect(try fetch("/health/live").status == 200)
    }

    @Test func `counts requests by listener, route and outcome`() throws {
        _ = try premises.peer.run("areq", ["card": IssuerPremises.card])
        let labels =
            #"listener="server.directories",route="POST /3ds/authentication",outcome="C""#
        let line = "countersign_acs_requests_total{\(labels)} 1\n"
        let metrics = try fetch("/metrics").body
        #expect(metrics.contains(line))
        for kind in ["verifierFailed", "resultGivenUp", "storeFailed"] {
            #expect(metrics.contains("countersign_acs_failures_total{kind=\"\(kind)\"} 0\n"))
        }
        for name in ["request_seconds_bucket", "log_lines_dropped_total"] {
            #expect(metrics.contains("countersign_acs_\(name)"))
        }
        #expect(!metrics.contains(IssuerPremises.card))
    }

    @Test func `counts and logs requests that were refused before their path was known`() throws {
        let overrides = ["unknown": String(repeating: "a", count: 300_000)]
        let members: [String: Any] = ["card": IssuerPremises.card, "overrides": overrides]
        #expect(try premises.peer.run("areq", members)["status"] as? Int == 413)
        let labels = #"listener="server.directories",route="unknown",outcome="bodyTooLarge""#
        let metrics = try fetch("/metrics").body
        #expect(metrics.contains("countersign_acs_requests_total{\(labels)} 1\n"))
        let words = #""route":"unknown","outcome":"bodyTooLarge","status":413"#
        let lines = try premises.stop().log.filter { $0.contains("bodyTooLarge") }
        #expect(lines.count == 1 && lines[0].contains(words), "\(lines)")
    }
}
