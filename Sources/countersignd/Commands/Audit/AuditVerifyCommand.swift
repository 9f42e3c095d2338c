import CommandLineTool
import ConfigurationFiles
import TransactionApproval
import Verification

struct AuditVerifyCommand: Command {
    static let name = "audit verify"
    static let summary = "Verify all audit records, the store and the journal."
    static let discussion = """
        The checks have three parts:

            the audit trail  no record was changed, removed, inserted or moved
            the journal      its signatures match the audit trail;
                             the store contains each returned result
            the store        each row matches its audit record, and no row is missing;
                             each decision has the signature of its device;
                             with the encryption keys: each tag and each secret is valid

        If the trail is broken, the rows are not compared with their audit records, and the command \
        prints this. All other checks still run.

        The command changes nothing, and a running verifier continues to work.

        Prints the last record that the journal's signatures cover, and all restores. Without the \
        encryption keys, an attacker with write access to the database could have forged only the \
        records after the last signature.

        Exits with 0 if there are no findings, otherwise with 1.

        \(Installation.storeOnly)
        """

    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let journal = try installation.openJournalFile()
        let keys = try installation.availableKeys()
        let report = try await installation.withStore(checksWholeFile: true) {
            store throws(CommandFailure) in
            try await installation.audit(store, keys, against: journal, on: terminal)
        }
        if printsJSON {
            try terminal.output.print(json: ShownAudit(report))
        } else {
            let lines = report.isClean ? report.summary : report.problems
            for line in lines { try terminal.output.print(line) }
        }
        guard report.isClean else {
            throw CommandFailure(
                .refused,
                "the audit has \(counted(report.findingCount, "finding")); "
                    + "the chain is unbroken up to record \(report.checked)",
                hint: report.hint(isPostgreSQL: installation.storePlace == .postgreSQL)
            )
        }
    }
}

private struct ShownAudit: Encodable {
    struct Finding: Encodable {
        let record: UInt64
        let text: String
    }

    /// The length of the unbroken chain from the first record.
    let records: UInt64
    /// Whether the rows were compared with the chain, because it is unbroken.
    let complete: Bool
    /// The last record of the chain that the journal's signatures cover.
    let signed: UInt64?
    let restored: [UInt64]
    let findings: [Finding]
    /// The number of findings that are not in the list; nil for none.
    let further: Int?

    init(_ report: AuditReport) {
        (records, complete) = (report.checked, report.isComplete)
        signed = report.lastSigned?.sequence
        restored = report.restores.map(\.sequence)
        findings = report.findings.map { Finding(record: $0.sequence, text: $0.text) }
        further = report.furtherCount > 0 ? report.furtherCount : nil
    }
}

extension AuditReport {
    /// The result for a report without findings.
    fileprivate var summary: [String] {
        ["Verified: \(counted(checked, "record")), the store and the journal."]
            + signatures
            + restores.map { record in
                "Record \(record.sequence): a restore from a backup, \(visible(record.event.detail))."
            }
    }

    private var signatures: [String] {
        guard let last = lastSigned?.sequence else { return [] }
        let unsigned = checked - min(last, checked)
        return ["Signatures cover the records up to \(last)."]
            + (unsigned == 0 ? [] : ["Not signed yet: \(counted(unsigned, "record")) at the end."])
    }

    fileprivate var problems: [String] {
        findings.map(\.text)
            + (furtherCount > 0 ? ["\(counted(furtherCount, "further finding"))"] : [])
            + (isComplete ? [] : [Self.gap])
    }

    private static let gap = "Not compared: the rows with their records. The trail is broken."

    fileprivate func hint(isPostgreSQL: Bool) -> String {
        if findings.allSatisfy({ $0.kind == .lostHead }) {
            return "put the file back; only if it is lost, run countersignd restore"
        }
        guard isBackup else { return "keep the store and the journal unchanged as evidence" }
        return "if the store came from a backup, run countersignd restore"
            + (isPostgreSQL ? " --from-backup on every verifier" : "")
    }

    /// Whether the only findings are those of a backup: it ends before the journal does.
    private var isBackup: Bool {
        findings.allSatisfy { finding in
            switch finding.kind {
            case .unrestored: true
            case .forked: finding.sequence > checked
            default: false
            }
        }
    }
}
