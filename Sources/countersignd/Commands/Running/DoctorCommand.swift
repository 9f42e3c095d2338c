import CommandLineTool

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Diagnose all parts of the verifier, and suggest fixes."
    static let discussion = """
        Checks:

            - the configuration
            - the keys, and the permissions and owners of all files
            - the store: the tag and the secret of each row, without the audit trail
            - the journal, and whether its signatures are recent
            - the clock: the time of the store, and whether the clock is synchronized
            - the free disk space
            - certificates and their keys, and the expiry of certificates, 30 days ahead
            - the expiry of tokens, 14 days ahead
            - the health check of the server
            - dead letters and late deliveries

        The command changes nothing, and works with or without a running verifier. Run it as the \
        owner of the files. For the whole audit trail, use countersignd audit verify.

        A warning can wait for some time. Exits with 0 if there are only warnings or no findings, \
        otherwise with 1.
        """

    @Option(
        "ca-certificates",
        help: "Trusted CA certificates for the server, in PEM. Default: the system's."
    )
    private var caCertificates: FilePath?
    @JSONFlag private var printsJSON: Bool
    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let report = await report()
        if printsJSON {
            try terminal.output.print(json: report)
        } else {
            for part in report.passed { try terminal.output.print("\(part): ok") }
            for finding in report.findings {
                let prefix = finding.level == .warning ? "warning: " : ""
                try terminal.output.print("\(finding.part): \(prefix)\(finding.problem.onOneLine)")
                try terminal.output.print("  hint: \(finding.hint.onOneLine)")
            }
        }
        let problems = report.findings.count { $0.level == .error }
        guard problems == 0 else {
            throw CommandFailure(.refused, "found \(counted(problems, "problem"))")
        }
    }

    private struct Report: Encodable {
        var passed: [String] = []
        var findings: [Finding] = []
    }

    private func report() async -> Report {
        let installation: Installation
        do throws(CommandFailure) {
            installation = try Installation(readingFileAt: path, acceptsLateClock: true)
        } catch {
            return Report(findings: [Finding(.configuration, error)])
        }
        let diagnostics = Diagnostics(
            installation: installation,
            caCertificates: caCertificates
        )
        var report = Report()
        for area in Diagnostics.Area.allCases {
            let found = await diagnostics.findings(in: area)
            if found.isEmpty { report.passed.append(area.rawValue) }
            // A store that cannot be opened causes the same finding in several parts.
            report.findings += found.filter { finding in
                !report.findings.contains { $0.problem == finding.problem }
            }
        }
        return report
    }
}
