import CommandLineTool

struct CreateTransaction: Command {
    static let name = "transaction create"
    static let summary = "Request the approval of a payment from an account."

    @Argument("PAYEE", help: "The payee; several payees share the amount.") var payees: [String]
    @Option("amount", help: "The amount, with two decimals.") var amount: Amount
    @Option("currency", value: "CODE", help: "The currency, in ISO 4217.") var currency: String
    @Option("field", value: "LABEL=TEXT", help: "Another field to show; can be repeated.")
    var fields: [String]

    struct Amount: ArgumentValue, Equatable {
        static let valueName = "AMOUNT"
        static let expectation = "an amount such as 47.11"

        let minorUnits: Int

        init?(argument: String) {
            let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1].count == 2 else { return nil }
            guard let units = Int(parts.joined()) else { return nil }
            minorUnits = units
        }
    }

    func run(on terminal: Terminal) {}
}

struct ListTransactions: Command {
    static let name = "transaction list"
    static let summary = "List pending transactions."

    func run(on terminal: Terminal) throws(CommandFailure) {
        throw CommandFailure(.nothingPending, "nothing is pending")
    }
}
