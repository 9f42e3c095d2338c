import CommandLineTool
import TransactionApproval
import Verification

/// Checks the audit trail, and that store and journal agree with it.
struct AuditVerifyCommand: Command {
    static let name = "audit verify"
    static let summary = "Check every record of the audit trail, and the store and journal by it."
    static let discussion = """
        Finds records that were changed, taken out, put in or moved; a trail that is not the one
        that the journal was signed over; and rows of the store that are not what the last record
        about them made them, that no record made, or that are gone. Nothing is changed, and
        decisions go on meanwhile.

        Says up to which record the journal is signed, and where the store was restored: who has
        the database could have written what came later, and could not what came before.

        Ends with 0 where all is as it must be, with 1 where it is not.

        \(Installation.storeAlone)
        """

    static let parameters: [any Parameter] = [Flag.json, Configuration.option]

    private let path: String
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        printsJSON = arguments[.json]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let journal = try installation.openJournalFile()
        let report = try await installation.withStore { store throws(CommandFailure) in
            try await installation.audit(store, against: journal, on: terminal)
        }
        if printsJSON {
            try terminal.output.print(json: ShownAudit(report))
        } else {
            let lines = report.isClean ? report.summary : report.findings.map(\.text)
            for line in lines { try terminal.output.print(line) }
        }
        guard report.isClean else {
            throw CommandFailure(
                .refused,
                "the audit found \(counted(report.findings.count, "fault")); "
                    + "the trail is whole up to record \(report.checked)",
                hint: report.isBackup
                    ? "if the store came from a backup, run countersignd restore"
                    : "keep store and journal as they are, for whoever looks into it"
            )
        }
    }
}

private struct ShownAudit: Encodable {
    struct Finding: Encodable {
        let record: UInt64
        let text: String
    }

    /// How many records follow each other as they must, from the first on.
    let records: UInt64
    /// The last that the journal is signed over.
    let signed: UInt64?
    let restored: [UInt64]
    let findings: [Finding]

    init(_ report: AuditReport) {
        (records, signed) = (report.checked, report.vouched?.sequence)
        restored = report.restores.map(\.sequence)
        findings = report.findings.map { Finding(record: $0.sequence, text: $0.text) }
    }
}

extension AuditReport {
    /// What is in order, and how far that is known.
    fileprivate var summary: [String] {
        ["In order: \(counted(checked, "record")), with the store and the journal."]
            + (vouched.map { ["The journal is signed up to record \($0.sequence)."] } ?? [])
            + restores.map { record in
                "Record \(record.sequence): restored from a backup, \(visible(record.event.detail))."
            }
    }

    /// Whether all is in order but that the store is a backup, or that the journal has seen more.
    fileprivate var isBackup: Bool {
        findings.allSatisfy { finding in
            switch finding.fault {
            case .unrestored: true
            case .forked: finding.sequence > checked
            default: false
            }
        }
    }
}

extension AuditFinding {
    fileprivate var text: String {
        let record = "record \(sequence)"
        return switch fault {
        case .malformed: "\(record): not one of ours"
        case .outOfSequence: "\(record): missing, or another stands in its place"
        case .brokenLink: "\(record): changed, or not what followed the one before"
        case .endsElsewhere: "\(record): the trail ends elsewhere than the store says"
        case .forked(let last):
            "\(record): not the one that the journal has seen; the last that is, is \(last)"
        case .unrestored: "\(record): here the backup ends that the store is a copy of"
        case .contradicted(let row): "\(record): the store has something else in \(visible(row))"
        case .wroteOver(let row): "\(record): it wrote over something else in \(visible(row))"
        case .unrecorded(let row): "no record: nothing made \(visible(row)) what it is"
        case .missing(let row): "\(record): the store has no more \(visible(row))"
        }
    }
}
