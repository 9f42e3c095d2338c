import BankIntegration
import CommandLineTool
import TransactionApproval
import VerifierServer

struct TransactionListCommand: BankCommand {
    static let name = "transaction list"
    static let summary = "List the transactions of an account, the newest first."
    static let discussion = EndpointOptions.discussion

    @Argument(help: AccountPath.help) private var account: AccountPath
    @Option("limit", help: "The maximum number of transactions: 1 to 1000. Default: 20.")
    private var givenLimit: Int?
    @JSONFlag private var printsJSON: Bool
    let endpoint = EndpointOptions()

    private var limit: Int { givenLimit ?? 20 }

    func validateArguments() throws(CommandFailure) {
        guard 1...1000 ~= limit else {
            throw CommandFailure(.usage, "--limit must be between 1 and 1000")
        }
    }

    func run(with client: BankAPIClient, on terminal: Terminal) async throws(CommandFailure) {
        let transactions = try await transactions(from: client)
        guard !transactions.isEmpty else {
            throw CommandFailure(.nothingPending, "the account has no transactions")
        }
        let rows = transactions.map { transaction in
            [
                transaction.id.text, transaction.state.rawValue, transaction.created.text,
                transaction.sums.joined(separator: " + "), transaction.title,
            ]
        }
        try terminal.output.print(
            NamedValue("transactions", transactions),
            inJSON: printsJSON,
            or: Table(["TRANSACTION", "STATE", "CREATED", "AMOUNT", "TITLE"], rows)
        )
    }

    /// The maximum of the API.
    private static let maximumPage = 50

    private func transactions(
        from client: BankAPIClient
    ) async throws(CommandFailure) -> [TransactionResource] {
        var (found, next) = ([TransactionResource](), String?.none)
        repeat {
            let size = min(Self.maximumPage, limit - found.count)
            let cursor = next.map { "&before=\($0)" } ?? ""
            let target = "\(account.path)/transactions?limit=\(size)\(cursor)"
            let page: TransactionList = try await client.send(
                APIRequest(.get, target, of: "account")
            )
            found += page.transactions
            next = page.next
        } while next != nil && found.count < limit
        return found
    }
}
