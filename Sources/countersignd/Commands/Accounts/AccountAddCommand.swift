import CommandLineTool
import Verification
import VerifierServer

/// Makes an account, where it is not there.
struct AccountAddCommand: BankCommand {
    static let name = "account add"
    static let summary = "Make an account, if it is not there yet."
    static let discussion = """
        Many at once come in by countersignd load.

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
        let request = APIRequest(.put, account.path, of: "enterprise")
        let added = try await bank.ask(request, for: AccountResource.self)
        if printsJSON { return try terminal.output.print(json: added) }
        try terminal.output.print("\(account.text) is an account")
    }
}
