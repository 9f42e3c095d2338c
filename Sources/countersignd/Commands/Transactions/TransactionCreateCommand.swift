import CommandLineTool
import Verification
import VerifierServer

/// Asks somebody to approve something.
struct TransactionCreateCommand: BankCommand {
    static let name = "transaction create"
    static let summary = "Ask a person to approve what a file says."
    static let discussion = """
        The file is a JSON object, as /openapi.json describes it:

            {
                "context": "payment",
                "title": "Transfer",
                "amounts": [{"currency": "EUR", "minorUnits": 4711}],
                "payees": [{"name": "Grocer", "account": "DE89370400440532013000"}]
            }

        What the person approves is this and nothing else. Where the policy has the person type a
        number, it is shown here alone, for whoever speaks with the person.

        \(APIEndpoint.discussion)
        """

    static let file = Argument<FilePath>(help: "What is asked; - reads standard input.")
    static let parameters: [any Parameter] =
        [AccountReference.argument, file, IdempotencyKey.option, Flag.json] + APIEndpoint.parameters

    let way: APIEndpoint
    private let account: AccountReference
    private let file: FilePath
    private let key: IdempotencyKey
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        file = try arguments[Self.file]
        key = try IdempotencyKey.given(in: arguments)
        printsJSON = arguments[.json]
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(
            .post,
            account.path + "/transactions",
            of: "account",
            content: try file.contents(atMost: 1 << 20),
            key: key
        )
        let transaction = try await bank.ask(request, for: TransactionResource.self)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
