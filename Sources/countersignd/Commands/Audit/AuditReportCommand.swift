import CommandLineTool
import TransactionApproval
import Verification

struct AuditReportCommand: Command {
    static let name = "audit report"
    static let summary = "Report how often each event occurred, and how far that is proven."
    static let discussion = """
        Runs the checks of countersignd audit verify. Then counts the records by event and period \
        (UTC), and by actor. Also reports the records that no signature proves: the records after \
        the last signature, and the records that a restore lost.

        The command changes nothing, and a running verifier continues to work.

        Exits with 1 if there are findings. The counts end at the first break of the chain, and then \
        the rows are not compared with their audit records.

        \(AuditVerifyCommand.aboutKey)

        \(Installation.storeOnly)
        """

    @Option("by", help: "The length of a period. Default: month.")
    private var period: AuditCounts.Period?
    @Option("key", help: AuditVerifyCommand.keyHelp) private var key: FilePath?
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = try Installation(readingFileAt: path)
        let page = try await installation.audit(withKey: key, on: terminal) {
            store,
            report throws(CommandFailure) in
            let counts = try await installation.counts(
                of: store,
                upTo: report.checked,
                by: period ?? .month
            )
            return AuditPage(report, counts, made: .now)
        }
        if printsJSON {
            try terminal.output.print(json: page)
        } else {
            try page.print(on: terminal.output)
        }
        guard page.findingCount == 0 else {
            throw CommandFailure(.refused, "the audit has \(counted(page.findingCount, "finding"))")
                .suggesting("countersignd audit verify lists them")
        }
    }
}
