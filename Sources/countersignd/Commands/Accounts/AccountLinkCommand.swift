import CommandLineTool
import TransactionApproval
import Verification

/// Says that two accounts are one person's.
struct AccountLinkCommand: BankCommand {
    static let name = "account link"
    static let summary = "Link two accounts of one person."
    static let discussion = """
        One activation takes both from then on, where the enterprise's policy says so, and wrong
        codes count for both.

        \(APIEndpoint.discussion)
        """

    static let other = Argument<AccountReference>(
        "OTHER",
        help: "The other account, in the same enterprise."
    )
    static let parameters: [any Parameter] =
        [AccountReference.argument, other] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let other: AccountReference

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        other = try arguments[Self.other]
        try account.checkIsBeside(other)
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let path = "\(account.path)/links/\(other.key.type)/\(other.key.id)"
        try await bank.ask(APIRequest(.put, path, of: "account"))
        try terminal.output.print("\(account.text) and \(other.text) are one person's")
    }
}

extension AccountReference {
    func checkIsBeside(_ other: AccountReference) throws(CommandFailure) {
        guard enterprise == other.enterprise, key != other.key else {
            throw CommandFailure(.usage, "these must be two accounts of one enterprise")
        }
    }
}
