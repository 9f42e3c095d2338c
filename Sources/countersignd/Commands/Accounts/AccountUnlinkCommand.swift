import CommandLineTool

struct AccountUnlinkCommand: BankCommand {
    static let name = "account unlink"
    static let summary = "End the link of an account to another one."
    static let discussion = """
        Later activations no longer cover both accounts. The accounts of one \
        installation still share one count of wrong codes, because they share one PIN. Revoke \
        devices that must not keep their access.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument("OTHER", help: "The account to unlink, in the same enterprise.")
    private var other: AccountPath
    let endpoint = EndpointOptions()

    func validateArguments() throws(CommandFailure) {
        try account.checkSameEnterprise(as: other)
    }

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        try await client.send(APIRequest(.delete, account.path(linking: other), of: "account"))
        try terminal.output.print("Unlinked \(account.text) and \(other.text).")
    }
}
