import CommandLineTool
import TransactionApproval
import VerifierServer

struct TransactionShowCommand: BankCommand {
    static let name = "transaction show"
    static let summary = "Show a transaction and its result."
    static let discussion = EndpointOptions.discussion

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: TransactionID.help) private var id: TransactionID
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let transaction = try await client.transaction(id, of: account)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
