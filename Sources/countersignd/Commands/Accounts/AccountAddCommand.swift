import CommandLineTool
import VerifierServer

struct AccountAddCommand: BankCommand {
    static let name = "account add"
    static let summary = "Create an account, if it does not exist."
    static let discussion = """
        To create many accounts, use countersignd load.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.put, account.path, of: "enterprise")
        let added: AccountResource = try await client.send(request)
        if printsJSON { return try terminal.output.print(json: added) }
        try terminal.output.print("The account \(account.text) exists.")
    }
}
