import Foundation
import ProgramTesting
import Storage
import TestSupport
import Testing
import Verification

@testable import countersignd

@Suite struct `The text of a restore` {
    @Test(arguments: [
        ("epoch 3 lost 50 0d8a", "epoch 3; the journal ended at record 50"),
        ("epoch 3 lost unknown", "epoch 3; the journal was lost"),
        ("epoch 3 lost 50", "epoch 3 lost 50"), ("epoch x lost 50 0d8a", "epoch x lost 50 0d8a"),
        ("epoch 3 lost \u{1B}[2J 0d8a", "epoch 3 lost \\u{1B}[2J 0d8a"), ("", ""),
    ])
    func `is in words, unless another program wrote the record`(_ detail: String, _ text: String) {
        #expect(textOfRestore(detail) == text)
    }
}

@Suite struct `countersignd audit report` {
    private func filled() async throws -> Premises {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 4)
        return premises
    }

    @Test func `the counts equal those of another program`() async throws {
        let premises = try await filled()
        let report = try premises.countersignd("audit", "report", "--by", "day", "--json")
        #expect(report.exitCode == 0, "\(report.errorOutput)")
        let page = try JSONObject(report.output)
        #expect(page.text("records") == "9")
        #expect(page.text("findingCount") == "0")
        #expect(page["signature"]?.text("record") == "9")
        #expect(page.text("unsigned") == "0")
        let day = "date(moment / 1000, 'unixepoch')"
        let counted = try premises.sqlite3(
            "SELECT \(day), kind, count(*) FROM audit GROUP BY 1, 2 ORDER BY 1, 2"
        )
        let counts = (0..<(page.count(of: "counts") ?? 0)).compactMap { page["counts", $0] }
        let lines = counts.map { count in
            ["period", "kind", "count"].compactMap { count.text($0) }.joined(separator: "|")
        }
        #expect(lines.count == 4)
        #expect(lines.joined(separator: "\n") == counted)
        #expect(page["actors", 0]?.text("actor") == "operator")
        #expect(page["actors", 0]?.text("count") == "9")
    }

    @Test func `the report shows how far the records are proven`() async throws {
        let premises = try await filled()
        let backup = premises.path("monday.db")
        #expect(try premises.countersignd("backup", backup).exitCode == 0)
        _ = try premises.countersignd("account", "add", "bank/main/4712")
        try premises.putBack("monday.db")
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        // A record that the journal has not signed.
        let (verifier, store) = try await premises.open(journaled: false)
        _ = try await verifier.issueActivation(for: Premises.account, by: .operatorCommand)
        await store.close()
        let report = try premises.countersignd("audit", "report")
        #expect(report.exitCode == 0, "\(report.errorOutput)")
        let lines = report.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("Store and journal\tconsistent with the records"))
        #expect(lines.contains("Not proven: 1 record since the last signature"))
        let restore = lines.first {
            $0.hasPrefix("Not proven: the records that the restore in record 10 lost")
        }
        let end = ", epoch 1; the journal ended at record 10)"
        #expect(restore?.hasSuffix(end) == true, "\(report.output)")
        #expect(lines.contains { $0.hasSuffix("\tactivation.issued\t5") })
    }

    @Test func `the report of a broken trail exits with 1 and counts the records before the break`()
        async throws
    {
        let premises = try await filled()
        #expect(try premises.sqlite3("UPDATE audit SET detail = 'x' WHERE sequence = 6") == "")
        let report = try premises.countersignd("audit", "report", "--json")
        #expect(report.exitCode == 1)
        #expect(
            report.errorOutput.contains("the audit has 1 finding\nhint: countersignd audit ver")
        )
        let page = try JSONObject(report.output)
        #expect(page.text("records") == "5")
        #expect(page.text("findingCount") == "1")
        #expect(report.output.contains(#""complete":false"#))
        // As in audit verify: the signatures prove only records before the break.
        #expect(page["signature"]?.text("record") == "5" && page.text("unsigned") == "0")
        let verified = try JSONObject(
            premises.countersignd("audit", "verify", "--json").output
        )
        #expect(verified.text("signed") == "5")
        let lines = try premises.countersignd("audit", "report").output
        let rows = "\nRows\tnot compared with their records: the trail is broken\n"
        #expect(lines.contains(rows), "\(lines)")
        #expect(!lines.contains("Not proven"), "\(lines)")
    }
}
