import Testing

@testable import Storage
@testable import Verification

@Suite struct `Many forged rows` {
    /// An attacker forges rows that do no harm, to hide one that does.
    @Test func `do not end the count of the alarm`() {
        let forgeries = ForgeryMonitor()
        for number in 0..<NamedRows.maximumNames {
            forgeries.note(.forged(row: "audit sequence=\(number)"))
        }
        #expect(forgeries.count == NamedRows.maximumNames)
        #expect(forgeries.takeUnrecorded().count == NamedRows.maximumNames)
        for count in 1...3 {
            forgeries.note(.forged(row: "devices id=00"))
            #expect(forgeries.count == NamedRows.maximumNames + count)
        }
        #expect(forgeries.takeUnrecorded() == [NamedRows.furtherRows])
    }

    @Test func `are counted by an audit that does not list them`() {
        var report = AuditReport()
        for number in 0...AuditReport.maximumFindings {
            let row = "devices id=\(number)"
            report.add(.forged(row: row), about: row)
            report.add(.unopened(row: row), about: row)
        }
        #expect(report.findings.count == AuditReport.maximumFindings)
        #expect(report.furtherCount == 2)
    }

    @Test func `have short names, however long their keys are`() {
        let key = [SQLValue.text(String(repeating: "x", count: 1_000_000))]
        #expect(Table.activations.description(of: key).utf8.count < 200)
    }
}
