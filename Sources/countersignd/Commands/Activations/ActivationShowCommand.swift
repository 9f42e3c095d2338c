import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Shows how an activation stands.
struct ActivationShowCommand: BankCommand {
    static let name = "activation show"
    static let summary = "Show how an activation stands."
    static let discussion = """
        Never its code: that was shown when it was made.

        \(APIEndpoint.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, ActivationID.argument, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let id: ActivationID
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[ActivationID.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, account.path(of: id), of: "activation")
        let activation = try await bank.ask(request, for: ActivationResource.self)
        if printsJSON { return try terminal.output.print(json: activation) }
        try terminal.output.print(activation.page)
    }
}
