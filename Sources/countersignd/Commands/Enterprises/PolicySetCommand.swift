import CommandLineTool
import TransactionApproval

struct PolicySetCommand: BankCommand {
    static let name = "policy set"
    static let summary = "Set the policy of an enterprise, or create an enterprise."
    static let discussion = """
        The policy is a JSON object. Omitted members use their defaults: {} requires a PIN, and \
        accepts no hardware tokens. countersignd reference policy lists the members.

            {"authentication": ["userPIN", "biometric"], "minimumTokenDigits": 6}

        The new policy replaces the old one. To edit the old one, print it with countersignd policy \
        show. A policy must be as strong as the law requires. \(GuessingRisk.maximum) \
        The command prints this number for the new policy.

        \(EndpointOptions.discussion)
        """

    @Argument(help: EnterpriseID.help) private var enterprise: EnterpriseID
    @Argument(help: "The policy; - reads standard input.") private var file: FilePath
    @Flag("new", help: "Create the enterprise. Its name must be unused.") private var isNew: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let policy = try PolicyFile(file)
        let request = APIRequest(
            .put,
            isNew ? enterprise.path : enterprise.path + "/policy",
            of: "enterprise",
            hint: isNew ? nil : EnterpriseID.listHint + "; --new creates one",
            body: policy.bytes
        )
        try await client.send(request)
        try terminal.output.print("Set the policy of \(enterprise) from \(file.shownName).")
        for sentence in policy.risk.sentences { try terminal.output.print(sentence) }
    }
}
