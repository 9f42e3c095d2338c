import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Shows what somebody was asked, and how it ended.
struct TransactionShowCommand: BankCommand {
    static let name = "transaction show"
    static let summary = "Show what a person was asked, and how it ended."
    static let discussion = APIEndpoint.discussion

    static let parameters: [any Parameter] =
        [AccountReference.argument, TransactionID.argument, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let id: TransactionID
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[TransactionID.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(.get, account.path(of: id), of: "transaction")
        let transaction = try await bank.ask(request, for: TransactionResource.self)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
