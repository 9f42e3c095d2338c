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
        let content = try file.contents(atMost: 1 << 20)
        let transaction = try await client.createTransaction(
            content,
            for: account,
            key: try idempotency.key()
        )
        try terminal.output.print(transaction, inJSON: printsJSON)
    }
}
