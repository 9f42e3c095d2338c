import CommandLineTool
import TransactionApproval
import VerifierServer

struct ActivationShowCommand: BankCommand {
    static let name = "activation show"
    static let summary = "Show the state of an activation."
    static let discussion = """
        The code is not shown: countersignd activation code prints it.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: ActivationID.help) private var id: ActivationID
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, account.path(of: id), of: "activation")
        let activation: ActivationResource = try await client.send(request)
        try terminal.output.print(activation, inJSON: printsJSON, or: activation.page)
    }
}
