import CommandLineTool
import TransactionApproval
import Verification
import VerifierServer

/// Shows what an account was asked.
struct TransactionListCommand: BankCommand {
    static let name = "transaction list"
    static let summary = "Show what a person was asked, the newest first, and how it ended."
    static let discussion = APIEndpoint.discussion

    static let limit = Option<Int?>("limit", help: "How many at most: 1 to 1000, or else 20.")
    static let parameters: [any Parameter] =
        [AccountReference.argument, limit, Flag.json] + APIEndpoint.parameters

    /// Of one answer.
    private static let maximumPage = 50

    let way: APIEndpoint
    private let account: AccountReference
    private let limit: Int
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        way = try APIEndpoint(arguments)
        account = try arguments[AccountReference.argument]
        limit = try arguments[Self.limit] ?? 20
        printsJSON = arguments[.json]
        guard 1...1000 ~= limit else {
            throw CommandFailure(.usage, "--limit must be from 1 to 1000")
        }
    }

    func run(asking bank: Bank, on terminal: Terminal) async throws(CommandFailure) {
        let transactions = try await newest(of: bank)
        guard !transactions.isEmpty else {
            throw CommandFailure(.nothingPending, "nothing was ever asked of this account")
        }
        if printsJSON { return try terminal.output.print(json: List(transactions: transactions)) }
        let rows = transactions.map { transaction in
            [
                transaction.id.text, transaction.state.rawValue, transaction.created.text,
                transaction.sums.joined(separator: " + "), transaction.title,
            ]
        }
        try terminal.output.print(
            Table(["TRANSACTION", "STATE", "ASKED", "AMOUNT", "TITLE"], rows)
        )
    }

    private struct List: Encodable {
        let transactions: [TransactionResource]
    }

    private func newest(of bank: Bank) async throws(CommandFailure) -> [TransactionResource] {
        var (found, next) = ([TransactionResource](), String?.none)
        repeat {
            let size = min(Self.maximumPage, limit - found.count)
            let place = next.map { "&before=\($0)" } ?? ""
            let page = try await bank.ask(
                APIRequest(
                    .get,
                    "\(account.path)/transactions?limit=\(size)\(place)",
                    of: "account"
                ),
                for: TransactionList.self
            )
            found += page.transactions
            next = page.next
        } while next != nil && found.count < limit
        return found
    }
}
