import BankIntegration
import CommandLineTool
import TransactionApproval
import VerifierServer

struct ActivationListCommand: BankCommand {
    static let name = "activation list"
    static let summary = "List the activations of an account, the newest first."
    static let discussion = """
        The list contains at most 100 activations, without their codes.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, account.path + "/activations", of: "account")
        let list: ActivationList = try await client.send(request)
        guard !list.activations.isEmpty else {
            throw CommandFailure(.nothingPending, "the account has no activations")
                .suggesting(
                    "countersignd activation create starts one; add --web for a web browser"
                )
        }
        let rows = list.activations.map { activation in
            [
                activation.id.text, activation.state.rawValue, activation.issued.text,
                activation.deadline.text, activation.closed?.text ?? "",
            ]
        }
        try terminal.output.print(
            list,
            inJSON: printsJSON,
            or: Table(["ACTIVATION", "STATE", "CREATED", "VALID UNTIL", "ENDED"], rows)
        )
    }
}
