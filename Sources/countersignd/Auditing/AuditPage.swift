import CommandLineTool
import TransactionApproval
import Verification

/// The report on an audit trail.
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

    struct ActorCount: Encodable {
        let actor: String
        let count: UInt64
    }

    let made: Timestamp
    /// The length of the unbroken chain from the first record.
    let records: UInt64
    let first: Timestamp?
    let last: Timestamp?
    /// `countersignd audit verify` lists them.
    let findingCount: Int
    /// Whether the rows were compared with the chain, because it is unbroken.
    let complete: Bool
    /// Whether the tags and secrets were checked, which needs the encryption keys.
    let tags: Bool
    /// The last record that a signature in the journal covers; nil if there was no journal.
    let signature: Signature?
    /// The number of records after the last signature.
    let unsigned: UInt64
    let restores: [Restore]
    let actors: [ActorCount]
    let counts: [Count]

    init(
        _ report: AuditReport,
        _ counts: AuditCounts,
        made now: Timestamp
    ) {
        made = now
        records = report.checked
        (first, last) = (counts.first, counts.last)
        (findingCount, complete) = (report.findingCount, report.isComplete)
        tags = report.hasCheckedTags
        signature = report.lastSigned.map { Signature(record: $0.sequence, moment: $0.moment) }
        unsigned = report.checked - min(report.lastSigned?.sequence ?? 0, report.checked)
        restores = report.restores.map {
            Restore(record: $0.sequence, moment: $0.moment, detail: $0.event.detail)
        }
        actors = counts.actors.sorted { $0.key < $1.key }
            .map { ActorCount(actor: $0.key, count: $0.value) }
        self.counts = counts.lines
    }
}

// MARK: For people

extension AuditPage {
    func print(on output: Output) throws(CommandFailure) {
        try output.print(facts)
        for gap in gaps { try output.print("Not proven: \(gap)") }
        try space(output)
        try output.print(Table(["ACTOR", "RECORDS"], actors.map { [$0.actor, "\($0.count)"] }))
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
        let finding = "\(counted(findingCount, "finding")); countersignd audit verify lists them"
        return Table(facts: [
            ("Created", made.text),
            ("Records", "1 to \(records), an unbroken chain"),
            ("From", first?.text),
            ("To", last?.text),
            ("Store and journal", findingCount == 0 ? "consistent with the records" : finding),
            ("Rows", complete ? nil : "not compared with their records: the trail is broken"),
            ("Tags", tags ? nil : "not checked, without the encryption keys"),
            ("Signed", signed),
        ])
    }

    private var signed: String {
        guard let signature else { return "not compared with the journal" }
        return "up to record \(signature.record) (\(signature.moment.text))"
    }

    /// The events that no signature proves.
    private var gaps: [String] {
        let since = signature == nil ? "" : " since the last signature"
        let rest = unsigned == 0 ? [] : [counted(unsigned, "record") + since]
        return rest
            + restores.map { restore in
                "the records that the restore in record \(restore.record) lost "
                    + "(\(restore.moment.text), \(textOfRestore(restore.detail)))"
            }
    }
}
