import CommandLineTool
import TransactionApproval
import Verification

extension Restoration {
    var report: String {
        let done = """
            Restored: the store continues after record \(backup.sequence), in epoch \(epoch.value).
              \(counted(voidedTransactions, "pending transaction")) made void
              \(counted(closedActivations, "open activation")) closed
              \(counted(replayed, "record")) of the journal replayed
            \(lostRecords.text)
            """
        return ([done] + comparison + forgedRows + changes).joined(separator: "\n")
    }

    private var comparison: [String] {
        guard !comparesRows else { return [] }
        return ["No row was compared with the audit trail: all valid tags are trusted."]
    }

    private var forgedRows: [String] {
        guard !forged.isEmpty else { return [] }
        return ["Another program wrote these rows, which stay rejected:"]
            + forged.names.map { "  " + visible($0) }
    }

    private var changes: [String] {
        guard !unreplayed.isEmpty else { return [] }
        let records = unreplayed.map { record in
            "  record \(record.sequence): \(record.event.kind.rawValue) of "
                + visible(record.event.subject)
        }
        return ["Repeat these changes, which the backup does not contain:"] + records
    }
}

extension LostRecords {
    /// The span, and the consequence for approvals.
    var text: String {
        let time = previous == .empty ? "" : " of \(previous.moment.text)"
        let end = "record \(previous.sequence)\(time)"
        guard let last else {
            return """
                Lost, as far as the backup shows: all records after \(end).
                Approvals in this span are gone. Without a journal, its end is unknown.
                """
        }
        guard !isEmpty else {
            return """
                The journal shows no lost records after \(end).
                Later approvals, if there were any, are gone.
                """
        }
        return """
            Lost, as far as the journal shows: from record \(first) of \(startText) to record \
            \(last.sequence) of \(last.moment.text).
            Approvals in this span are gone.
            """
    }

    private var startText: String {
        start?.text ?? (previous == .empty ? "unknown time" : "\(previous.moment.text) or later")
    }
}

/// The result of a restore in JSON.
struct ShownRestoration: Encodable {
    struct Record: Encodable {
        let record: UInt64
        /// Nil if the journal does not show it.
        let moment: Timestamp?
    }

    struct Lost: Encodable {
        /// Nil if the journal shows no lost record.
        let from: Record?
        /// Nil if the end is unknown.
        let to: Record?
        /// The last record before the loss.
        let after: Record
        /// The span and its consequence, as a person reads them.
        let text: String

        init(_ lost: LostRecords) {
            from = lost.isEmpty ? nil : Record(record: lost.first, moment: lost.start)
            to =
                lost.isEmpty
                ? nil : lost.last.map { Record(record: $0.sequence, moment: $0.moment) }
            after = Record(record: lost.previous.sequence, moment: lost.previous.moment)
            text = lost.text
        }
    }

    struct Change: Encodable {
        let record: UInt64
        let kind, subject: String
    }

    let record: UInt64
    let epoch: UInt64
    let lost: Lost
    let voidedTransactions, closedActivations, replayed: Int
    let unreplayed: [Change]
    let comparedRows: Bool
    /// Rows that another program wrote.
    let forged: [String]
    /// The file with the report; nil if it names nothing for an operator.
    let report: String?
    let usesOldKey: Bool

    init(_ restoration: Restoration, report: String?, usesOldKey: Bool) {
        record = restoration.backup.sequence
        epoch = restoration.epoch.value
        lost = Lost(restoration.lostRecords)
        voidedTransactions = restoration.voidedTransactions
        closedActivations = restoration.closedActivations
        replayed = restoration.replayed
        unreplayed = restoration.unreplayed.map {
            Change(record: $0.sequence, kind: $0.event.kind.rawValue, subject: $0.event.subject)
        }
        comparedRows = restoration.comparesRows
        forged = restoration.forged.names
        self.report = report
        self.usesOldKey = usesOldKey
    }
}
