import CommandLineTool

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Check the configuration and the files that it names, and suggest fixes."
    static let discussion = """
        Checks:

            - the configuration
            - the encryption keys and the tokens, and the permissions of their files
            - the certificates and keys for each directory server, and for the listeners
            - whether a certificate ends within 30 days

        The command changes nothing. Run it as the owner of the files. Exits with 0 if there are no \
        problems, otherwise with 1.
        """

    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) throws(CommandFailure) {
        let findings = findings()
        for finding in findings {
            guard let failure = finding.failure else {
                try terminal.output.print("\(finding.part): ok")
                continue
            }
            try terminal.output.print("\(finding.part): \(failure.message.onOneLine)")
            if let hint = failure.hint {
                try terminal.output.print("  hint: \(hint.onOneLine)")
            }
        }
        let problems = findings.count { $0.failure != nil }
        guard problems == 0 else {
            throw CommandFailure(.refused, "found \(counted(problems, "problem"))")
        }
    }

    private func findings() -> [Diagnostics.Finding] {
        let configuration: Configuration
        do throws(CommandFailure) {
            configuration = try Configuration(readingFileAt: path)
        } catch {
            return [Diagnostics.Finding(part: "configuration", failure: error)]
        }
        return [Diagnostics.Finding(part: "configuration", failure: nil)]
            + Diagnostics(configuration: configuration).findings()
    }
}
