import CommandLineTool
import TransactionApproval

struct TransactionWithdrawCommand: BankCommand {
    static let name = "transaction withdraw"
    static let summary = "Withdraw a pending transaction."
    static let discussion = EndpointOptions.discussion

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: TransactionID.help) private var id: TransactionID
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let path = account.path(of: id) + "/withdrawal"
        try await client.send(APIRequest(.put, path, of: "transaction"))
        try terminal.output.print("Withdrew \(id).")
    }
}
