import CommandLineTool
import TransactionApproval
import Verifier
import VerifierServer

/// Shows how an activation stands.
struct ActivationShowCommand: BankCommand {
    static let name = "activation show"
    static let summary = "Show how an activation stands."
    static let discussion = """
        Never its code: that was shown when it was made.

        \(BankWay.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, ActivationID.argument, Flag.json] + BankWay.parameters

    let way: BankWay
    private let account: AccountReference
    private let id: ActivationID
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try BankWay(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[ActivationID.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let question = Question(.get, account.path(of: id), of: "activation")
        let activation = try await bank.ask(question, for: ActivationResource.self)
        if printsJSON { return try terminal.output.print(json: activation) }
        try terminal.output.print(activation.page)
    }
}
