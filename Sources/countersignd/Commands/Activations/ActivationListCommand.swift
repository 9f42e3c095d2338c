import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Shows which activations an account has and had.
struct ActivationListCommand: BankCommand {
    static let name = "activation list"
    static let summary = "Show the activations of an account, the newest first."
    static let discussion = """
        The last 100, without their codes.

        \(APIEndpoint.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, account.path + "/activations", of: "account")
        let list = try await bank.ask(request, for: ActivationList.self)
        guard !list.activations.isEmpty else {
            throw CommandFailure(
                .nothingPending,
                "the account has no activation",
                hint: "countersignd activation create begins one"
            )
        }
        if printsJSON { return try terminal.output.print(json: list) }
        let rows = list.activations.map { activation in
            [
                activation.id.text, activation.state.rawValue, activation.issued.text,
                activation.deadline.text, activation.closed?.text ?? "",
            ]
        }
        try terminal.output.print(
            Table(["ACTIVATION", "STATE", "ISSUED", "GOOD UNTIL", "ENDED"], rows)
        )
    }
}
