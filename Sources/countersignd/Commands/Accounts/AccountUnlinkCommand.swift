import CommandLineTool
import TransactionApproval
import Verification

/// Ends the link of an account to another account's person.
struct AccountUnlinkCommand: BankCommand {
    static let name = "account unlink"
    static let summary = "End the link of an account to another one."
    static let discussion = """
        Later activations no longer cover both accounts. Devices that were activated together still
        share one count of wrong codes, because they share one PIN. Revoke devices that must not
        keep their access.

        \(APIEndpoint.discussion)
        """

    static let other = Argument<AccountReference>(
        "OTHER",
        help: "The account to unlink, in the same enterprise."
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
        try await bank.ask(APIRequest(.delete, path, of: "account"))
        try terminal.output.print("\(account.text) and \(other.text) are not linked")
    }
}
