import CommandLineTool
import TransactionApproval

struct PolicyShowCommand: BankCommand {
    static let name = "policy show"
    static let summary = "Show the policy of an enterprise."
    static let discussion = """
        The output is the policy as it was set, so it can be edited and set again:

            countersignd policy show bank >policy.json

        Omitted members use their defaults: see countersignd reference policy.

        \(EndpointOptions.discussion)
        """

    @Argument(help: EnterpriseID.help) private var enterprise: EnterpriseID
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let text = try await client.text(
            APIRequest(
                .get,
                enterprise.path + "/policy",
                of: "enterprise",
                hint: EnterpriseID.listHint
            )
        )
        try terminal.output.write(text + (text.hasSuffix("\n") ? "" : "\n"))
    }
}
