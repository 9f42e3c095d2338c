import CommandLineTool
import TransactionApproval
import VerifierServer

struct EnterpriseListCommand: BankCommand {
    static let name = "enterprise list"
    static let summary = "List the enterprises."
    static let discussion = """
        To create an enterprise, use countersignd policy set --new.

        \(EndpointOptions.discussion)
        """

    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let list = try await client.enterprises()
        guard !list.enterprises.isEmpty else {
            throw CommandFailure(.nothingPending, "there are no enterprises")
                .suggesting("create one with countersignd policy set --new")
        }
        if printsJSON { return try terminal.output.print(json: list) }
        for enterprise in list.enterprises { try terminal.output.print(enterprise.id.text) }
    }
}
