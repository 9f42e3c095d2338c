import CommandLineTool

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Check the ACS and its verifier, and suggest fixes."
    static let discussion = """
        Checks:

            - the configuration
            - the encryption keys and the tokens, and the permissions of their files
            - the certificates and keys for each directory server, the verifier, and the listeners
            - whether a certificate is not valid yet, or ends within 30 days
            - whether a certificate is for its use, and for the host of server.challenges.origin
            - whether clientAuthorities issued the certificates of the directory servers
            - the store: its file, its keys, its rows, its free space, and results that were given up or \
        wait
            - the verifier: whether it accepts the token, and whether the token has only the role cards
            - the accounts of the active cards, among the first \(Diagnostics.pageSize) cards
            - the enterprise's policy: transactionSeconds and requiredFields

        The policy is checked with the account of a card, so only if there is an active card. The other \
        checks need no card. If a file cannot be used, the store and the verifier are not checked.

        The command changes nothing. Run it as the owner of the files. Exits with 0 if there are no \
        problems, otherwise with 1.
        """

    @ConfigurationPath private var path: String

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let findings = await findings()
        for finding in findings {
            guard let failure = finding.failure else {
                try terminal.output.print("\(finding.part): \(finding.note ?? "ok")")
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

    private func findings() async -> [Diagnostics.Finding] {
        let configuration: Configuration
        do throws(CommandFailure) {
            configuration = try Configuration(readingFileAt: path)
        } catch {
            return [Diagnostics.Finding(part: "configuration", failure: error)]
        }
        return [Diagnostics.Finding(part: "configuration", failure: nil)]
            + (await Diagnostics(configuration: configuration).findings())
    }
}
