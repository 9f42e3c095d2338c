import CommandLineTool
import VerifierServer

struct TransactionCreateCommand: BankCommand {
    static let name = "transaction create"
    static let summary = "Ask a person to approve a transaction."
    static let discussion = """
        The file contains a JSON object, which /openapi.json describes:

            {
                "context": "payment",
                "title": "Transfer",
                "amounts": [{"currency": "EUR", "minorUnits": 4711}],
                "payees": [{"name": "Grocer", "account": "DE89370400440532013000"}]
            }

        The person's device shows exactly this content. If the policy requires number matching, only \
        this command prints the number.

        \(EndpointOptions.discussion)
        """

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Argument(help: "The transaction; - reads standard input.") private var file: FilePath
    private let idempotency = IdempotencyOption()
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let request = APIRequest(
            .post,
            account.path + "/transactions",
            of: "account",
            body: try file.contents(atMost: 1 << 20),
            key: try idempotency.key()
        )
        let transaction: TransactionResource = try await client.send(request)
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
