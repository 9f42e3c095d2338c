import CommandLineTool

struct AccountLinkCommand: BankCommand {
    static let name = "account link"
    static let summary = "Link two accounts of one person."
    static let discussion = """
        If the policy allows it, a later activation serves both accounts. It serves at most 16 accounts \
        of a person. The accounts of one installation share one count of wrong codes. A link does not merge the counts of two \
        installations.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument("OTHER", help: "The other account, in the same enterprise.")
    private var other: AccountPath
    let endpoint = EndpointOptions()

    func validateArguments() throws(CommandFailure) {
        try account.checkSameEnterprise(as: other)
    }

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        try await client.send(APIRequest(.put, account.path(linking: other), of: "account"))
        try terminal.output.print("Linked \(account.text) and \(other.text).")
    }
}

extension AccountPath {
    func checkSameEnterprise(as other: AccountPath) throws(CommandFailure) {
        guard enterprise == other.enterprise, key != other.key else {
            throw CommandFailure(.usage, "name two different accounts of one enterprise")
        }
    }
}
