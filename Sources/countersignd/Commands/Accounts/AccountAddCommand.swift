import CommandLineTool
import VerifierServer

struct AccountAddCommand: BankCommand {
    static let name = "account add"
    static let summary = "Create an account, if it does not exist."
    static let discussion = """
        To create many accounts, use countersignd load.

        A test account has no rate limits of transactions. The policy must set allowsTestAccounts. \
        The mark is permanent.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Flag("test", help: "Mark a new account as a test account.") private var isTest: Bool
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let body = isTest ? try APIRequest.json(NewAccount(test: true)) : nil
        let request = APIRequest(.put, account.path, of: "enterprise", body: body)
        let added: AccountResource = try await client.send(request)
        if printsJSON { return try terminal.output.print(json: added) }
        try terminal.output.print(
            "The \(added.test ? "test account" : "account") \(account.text) exists."
        )
    }
}
