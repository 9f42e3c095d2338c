import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Puts one account in the place of another.
struct AccountReplaceCommand: BankCommand {
    static let name = "account replace"
    static let summary = "Put another account in the place of one, with all its devices, for good."
    static let discussion = """
        The devices go on as those of the successor, and what waits for the account is void.

        \(APIEndpoint.discussion)
        """

    static let successor = Argument<AccountReference>(
        "SUCCESSOR",
        help: "The account that takes its place, in the same enterprise."
    )
    static let parameters: [any Parameter] =
        [AccountReference.argument, successor, Flag.yes] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let successor: AccountReference
    private let isAgreed: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        successor = try arguments[Self.successor]
        isAgreed = arguments[.yes]
        try account.checkIsBeside(successor)
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        try terminal.agree(
            to: "Put \(successor.text) in the place of \(account.text), for good?",
            isAgreed: isAgreed
        )
        let request = APIRequest(
            .put,
            account.path + "/replacement",
            of: "account",
            content: try content(successor.key)
        )
        try await bank.ask(request)
        try terminal.output.print("\(successor.text) is in the place of \(account.text)")
    }
}
