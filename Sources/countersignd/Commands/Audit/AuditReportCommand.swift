import CommandLineTool
import TransactionApproval
import Verification

/// Tells an auditor on one page what there is, and how far it is proven.
struct AuditReportCommand: Command {
    static let name = "audit report"
    static let summary = "Tell on one page what happened how often, and how far that is proven."
    static let discussion = """
        Checks all that countersignd audit verify checks, and then counts the records by event and
        period, in UTC, and by who caused them. Says up to where the journal is signed, and of what
        nothing but somebody's word is left: records since then, and what a restore gave up.

        Nothing is changed, and decisions go on meanwhile.

        Ends with 1 where anything is not as it must be. Records are counted up to the first that does
        not follow the one before.

        \(Installation.storeAlone)
        """

    static let period = Option<TrailCounts.Period?>(
        "by",
        help: "How long a period is, if not a month."
    )
    static let parameters: [any Parameter] = [period, Flag.json, Configuration.option]

    private let path: String
    private let period: TrailCounts.Period
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        path = try Configuration.path(in: arguments)
        period = try arguments[Self.period] ?? .month
        printsJSON = arguments[.json]
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let installation = Installation(configuration: try Configuration(readingFileAt: path))
        let journal = try installation.openJournalFile()
        let page = try await installation.withStore { store throws(CommandFailure) in
            let report = try await installation.audit(store, against: journal, on: terminal)
            let counts = try await installation.counts(of: store, upTo: report.checked, by: period)
            return AuditPage(
                report,
                counts,
                made: VerifierClock.system(notBefore: .earliest).now
            )
        }
        if printsJSON {
            try terminal.output.print(json: page)
        } else {
            try page.print(on: terminal.output)
        }
        guard page.faults == 0 else {
            throw CommandFailure(
                .refused,
                "the audit found \(counted(page.faults, "fault"))",
                hint: "countersignd audit verify names them, and says what to do"
            )
        }
    }
}
