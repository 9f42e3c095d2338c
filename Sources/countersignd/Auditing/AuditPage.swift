import CommandLineTool
import TransactionApproval
import Verification

/// What an auditor asks of a trail, on one page.
struct AuditPage: Encodable {
    struct Signature: Encodable {
        let record: UInt64
        let moment: Timestamp
    }

    struct Restore: Encodable {
        let record: UInt64
        let moment: Timestamp
        let detail: String
    }

    struct Count: Encodable {
        let period: String
        let kind: String
        let count: UInt64
    }

    struct Share: Encodable {
        let actor: String
        let count: UInt64
    }

    let made: Timestamp
    /// How many records follow each other as they must, from the first on.
    let records: UInt64
    let first: Timestamp?
    let last: Timestamp?
    /// What `countersignd audit verify` names one by one.
    let faults: Int
    /// The last record that the journal is signed over; absent where the two could not be compared.
    let signature: Signature?
    /// How many came after that.
    let unsigned: UInt64
    let restores: [Restore]
    let actors: [Share]
    let counts: [Count]

    init(
        _ report: AuditReport,
        _ counts: TrailCounts,
        made now: Timestamp
    ) {
        made = now
        records = report.checked
        (first, last) = (counts.first, counts.last)
        faults = report.findings.count
        signature = report.vouched.map { Signature(record: $0.sequence, moment: $0.moment) }
        unsigned = report.checked - min(report.vouched?.sequence ?? 0, report.checked)
        restores = report.restores.map {
            Restore(record: $0.sequence, moment: $0.moment, detail: $0.event.detail)
        }
        actors = counts.actors.sorted { $0.key < $1.key }
            .map { Share(actor: $0.key, count: $0.value) }
        self.counts = counts.lines
    }
}

// MARK: For people

extension AuditPage {
    func print(on output: Output) throws(CommandFailure) {
        try output.print(facts)
        for gap in gaps { try output.print("Not vouched for: \(gap)") }
        try space(output)
        try output.print(Table(["BY WHOM", "RECORDS"], actors.map { [$0.actor, "\($0.count)"] }))
        try space(output)
        try output.print(
            Table(
                ["PERIOD", "EVENT", "RECORDS"],
                counts.map { [$0.period, $0.kind, "\($0.count)"] }
            )
        )
    }

    private func space(_ output: Output) throws(CommandFailure) {
        if output.isScreen { try output.print("") }
    }

    private var facts: Table {
        let fault = "\(counted(faults, "fault")); countersignd audit verify names them"
        return Table(facts: [
            ("Made", made.text),
            ("Records", "1 to \(records), which follow each other"),
            ("From", first?.text),
            ("To", last?.text),
            ("Store and journal", faults == 0 ? "agree with them" : fault),
            ("Signed", signed),
        ])
    }

    private var signed: String {
        guard let signature else { return "not compared with the journal" }
        return "up to record \(signature.record), of \(signature.moment.text)"
    }

    /// Where somebody's word stands for what nothing proves.
    private var gaps: [String] {
        let since = signature == nil ? "" : " since the last signature"
        let rest = unsigned == 0 ? [] : [counted(unsigned, "record") + since]
        return rest
            + restores.map { restore in
                "what came before record \(restore.record), of \(restore.moment.text), and was lost "
                    + "by the restore that it tells of (\(visible(restore.detail)))"
            }
    }
}
