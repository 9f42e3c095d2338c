import CommandLineTool
import ServerOperation
import Storage
import ThreeDSIssuer
import Transactions

struct AuditVerifyCommand: Command {
    static let name = "audit verify"
    static let summary = "Verify all audit records and all rows of the store."
    static let discussion = """
        The checks have three parts:

            the audit trail  no record was changed, removed, inserted or moved;
                             each card and authentication has a record
            the store        each row has the content that an ACS wrote for it
            both             each card, and each authentication of the last 89
                             days, has a row with the recorded state: blocked,
                             decided, or with a used value. No authentication
                             was decided twice, and no value was used twice.
                             Keys for values are those that were added

        An attacker with write access to the database can put back an earlier content with the \
        same state. They can also remove the last records, and put back the rows that these changed. The \
        command does not find this. Export the records with countersign-acs audit list --after.

        The command changes nothing, and a running ACS continues to work.

        Exits with 0 if there are no findings, otherwise with 1.
        """

    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let audit = try await installation.withStore { store throws(CommandFailure) in
            try await installation.onStore { () async throws(StoreFailure) in
                try await store.audit(at: .ofWallClock)
            }
        }
        if printsJSON {
            try terminal.output.print(json: ShownAudit(audit))
        } else {
            for line in audit.lines { try terminal.output.print(line) }
        }
        guard audit.findingCount == 0 else { throw .findings(audit) }
    }
}

private struct ShownAudit: Encodable {
    /// The length of the unbroken chain from the first record.
    let records: Int64
    let brokenRecord: Int64?
    /// The number of authentic rows.
    let rows: Int
    let findings: Int
    /// The first rows that another program wrote.
    let forgedRows: [String]
    /// The first rows under keys that are not in the file.
    let lockedRows: [String]
    /// The first cards and authentications that have no record.
    let unrecordedRows: [String]
    /// The first rows that are missing, or in another state than their records.
    let differingRows: [String]
    /// The first authentications with two records of a step that is possible once.
    let repeatedAuthentications: [String]

    init(_ audit: StoreAudit) {
        (records, brokenRecord, rows) = (audit.records, audit.brokenRecord, audit.rows)
        findings = audit.findingCount
        (forgedRows, lockedRows) = (audit.forged.names, audit.locked.names)
        (unrecordedRows, differingRows) = (audit.unrecorded.names, audit.differing.names)
        repeatedAuthentications = audit.repeated.names
    }
}

extension StoreAudit {
    /// For an operator.
    fileprivate var lines: [String] {
        guard findingCount > 0 else {
            return ["Verified: \(counted(records, "record")) and \(counted(rows, "row"))."]
        }
        let broken = brokenRecord.map { ["record \($0): missing or not authentic"] } ?? []
        return broken + forged.lines { "\($0): another program wrote this row" }
            + locked.lines {
                "\($0): another program wrote this row, or the key file is incomplete"
            }
            + unrecorded.lines { "\($0): its records are missing" }
            + differing.lines { "\($0): the row and its records differ" }
            + repeated.lines { "\($0): decided or used twice; an earlier content was put back" }
    }
}

extension ReportedRows {
    fileprivate func lines(_ line: (String) -> String) -> [String] {
        let rest = count - names.count
        return names.map { line($0.onOneLine) } + (rest > 0 ? ["and \(rest) more"] : [])
    }
}

extension CommandFailure {
    static func findings(_ audit: StoreAudit) -> CommandFailure {
        CommandFailure(
            .refused,
            "the audit has \(counted(audit.findingCount, "finding")); "
                + "the chain is unbroken up to record \(audit.records)",
            hint: hintAfterForgery
        )
    }
}
