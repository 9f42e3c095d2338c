import CommandLineTool
import TransactionApproval
import Verification

/// Takes back what somebody was asked.
struct TransactionWithdrawCommand: BankCommand {
    static let name = "transaction withdraw"
    static let summary = "Take back what a person was asked, before it is decided."
    static let discussion = APIEndpoint.discussion

    static let parameters: [any Parameter] =
        [AccountReference.argument, TransactionID.argument] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let id: TransactionID

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        id = try arguments[TransactionID.argument]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let path = account.path(of: id) + "/withdrawal"
        try await bank.ask(APIRequest(.put, path, of: "transaction"))
        try terminal.output.print("\(id) is withdrawn")
    }
}
