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

        \(aboutKey)

        \(Installation.storeOnly)
        """

    /// For all commands with the option.
    static let aboutKey = """
        An auditor needs the public key that countersignd evidence key prints, and copies of the \
        journal, of journal.head and of the store. Copy the journal first. The store can be a backup. \
        With --key, the command uses no private key, and does not check tags and secrets:

            countersignd audit verify --config copy.json --key checkpoint.pub
        """
    static let keyHelp: String = """
        The public key of the journal, in PEM. Default: checkpointKey and encryptionKeys of the \
        configuration.
        """

    @Option("key", help: keyHelp) private var key: FilePath?
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let report = try await installation.audit(withKey: key, on: terminal) { _, report in
            report
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
                hint: report.hint(
                    isPostgreSQL: installation.storePlace == .postgreSQL,
                    ofCopies: key != nil
                )
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
    /// Whether the tags and secrets were checked, which needs the encryption keys.
    let tags: Bool
    /// The last record of the chain that the journal's signatures cover.
    let signed: UInt64?
    let restored: [UInt64]
    let findings: [Finding]
    /// The number of findings that are not in the list; nil for none.
    let further: Int?

    init(_ report: AuditReport) {
        (records, complete, tags) = (report.checked, report.isComplete, report.hasCheckedTags)
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
            + unchecked
            + restores.map { record in
                "Record \(record.sequence): a restore from a backup "
                    + "(\(textOfRestore(record.event.detail)))."
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
            + unchecked
    }

    private static let gap = "Not compared: the rows with their records. The trail is broken."

    private var unchecked: [String] {
        hasCheckedTags ? [] : ["Not checked, without the encryption keys: tags and secrets."]
    }

    fileprivate func hint(isPostgreSQL: Bool, ofCopies: Bool) -> String {
        if ofCopies, isBackup || findings.allSatisfy({ $0.kind == .lostHead }) {
            return "copy the journal and journal.head first, and then the store"
        }
        if findings.allSatisfy({ $0.kind == .lostHead }) {
            return "put the file back; only if it is lost, run countersignd restore"
        }
        if findings.contains(where: { $0.kind == .unauthenticState }) {
            return "check the file of encryptionKeys; if it is right, keep the store and the "
                + "journal unchanged as evidence"
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
