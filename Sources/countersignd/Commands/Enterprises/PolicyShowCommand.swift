import CommandLineTool
import FailureTranslation
import StrictJSON
import TransactionApproval

struct PolicyShowCommand: BankCommand {
    static let name = "policy show"
    static let summary = "Show the policy of an enterprise."
    static let discussion = """
        The output is the policy as it was set, so it can be edited and set again:

            countersignd policy show bank >policy.json

        Omitted members use their defaults, which --effective shows too. For their meaning, see \
        countersignd reference policy. Standard error shows how many stolen devices a thief can open \
        under this policy.

        \(EndpointOptions.discussion)
        """

    @Argument(help: EnterpriseID.help) private var enterprise: EnterpriseID
    @Flag("effective", help: "Show all members, with the defaults of omitted ones.")
    private var showsAll: Bool
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
        if showsAll {
            let policy = try translating(EffectivePolicy(text)) { (_: StrictJSON.Failure) in
                CommandFailure(.unknownResult, "the policy is not JSON")
            }
            try terminal.output.print(policy.table)
        } else {
            try terminal.output.write(json: text + (text.hasSuffix("\n") ? "" : "\n"))
        }
        for sentence in GuessingRisk(ofDocument: text)?.sentences ?? [] {
            try terminal.messages.print(sentence)
        }
    }
}
