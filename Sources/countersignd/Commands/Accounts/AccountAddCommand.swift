import CommandLineTool
import Verifier
import VerifierServer

/// Makes an account, where it is not there.
struct AccountAddCommand: BankCommand {
    static let name = "account add"
    static let summary = "Make an account, if it is not there yet."
    static let discussion = """
        Many at once come in by countersignd load.

        \(BankWay.discussion)
        """

    static let parameters: [any Parameter] =
        [AccountReference.argument, Flag.json] + BankWay.parameters

    let way: BankWay
    private let account: AccountReference
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try BankWay(arguments)
        account = try arguments[AccountReference.argument]
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let question = Question(.put, account.path, of: "enterprise")
        let added = try await bank.ask(question, for: AccountResource.self)
        if printsJSON { return try terminal.output.print(json: added) }
        try terminal.output.print("\(account.text) is an account")
    }
}
