import CommandLineTool
import TransactionApproval
import Verifier
import VerifierServer

/// Shows what somebody was asked, and how it ended.
struct TransactionShowCommand: BankCommand {
    static let name = "transaction show"
    static let summary = "Show what a person was asked, and how it ended."
    static let discussion = BankWay.discussion

    static let parameters: [any Parameter] =
        [AccountReference.argument, TransactionID.argument, Flag.json] + BankWay.parameters

    let way: BankWay
    private let account: AccountReference
    private let id: TransactionID
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try BankWay(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[TransactionID.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let question = Question(.get, account.path(of: id), of: "transaction")
        let transaction = try await bank.ask(question, for: TransactionResource.self)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
