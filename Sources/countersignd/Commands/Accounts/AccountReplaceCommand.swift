import CommandLineTool
import ConfigurationFiles

struct AccountReplaceCommand: BankCommand {
    static let name = "account replace"
    static let summary = "Replace an account by another one permanently."
    static let discussion = """
        The devices move to the new account. Pending transactions of the old account are withdrawn.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument("SUCCESSOR", help: "The new account, in the same enterprise.")
    private var successor: AccountPath
    @ConfirmationFlag private var isConfirmed: Bool
    let endpoint = EndpointOptions()

    func validateArguments() throws(CommandFailure) {
        try account.checkSameEnterprise(as: successor)
    }

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        try terminal.confirm(
            "Replace \(account.text) by \(successor.text) permanently?",
            isConfirmed: isConfirmed
        )
        let body = try APIRequest.json(successor.key)
        let path = account.path + "/replacement"
        try await client.send(APIRequest(.put, path, of: "account", body: body))
        try terminal.output.print("Replaced \(account.text) by \(successor.text).")
    }
}
