import CommandLineTool
import TransactionApproval
import VerifierServer

struct ActivationCodeCommand: BankCommand {
    static let name = "activation code"
    static let summary = "Print the code of an open activation."
    static let discussion = """
        Send the code to the person by another channel than the ID. Each call adds a record to the \
        audit trail. With --server, the token needs the scope activations.codes.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: ActivationID.help) private var id: ActivationID
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, account.path(of: id) + "/code", of: "open activation")
        let resource: ActivationCodeResource = try await client.send(request)
        if printsJSON { return try terminal.output.print(json: resource) }
        try terminal.output.print(resource.code)
    }
}
