import CommandLineTool

struct CreateTransaction: Command {
    static let name = "transaction create"
    static let summary = "Ask an account to approve a payment."

    static let amount = Option<Amount>("amount", help: "How much, with two decimals.")
    static let currency = Option<String>("currency", value: "CODE", help: "ISO 4217 code.")
    static let fields = Option<[String]>(
        "field",
        value: "LABEL=TEXT",
        help: "Something more to show; may be given again."
    )
    static let payees = Argument<[String]>("PAYEE", help: "Who gets it; several share it.")
    static let parameters: [any Parameter] = [payees, amount, currency, fields]

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

    let payees: [String]
    let amount: Amount
    let currency: String
    let fields: [String]

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        payees = try arguments[Self.payees]
        amount = try arguments[Self.amount]
        currency = try arguments[Self.currency]
        fields = try arguments[Self.fields]
    }

    func run(on terminal: Terminal) {}
}

struct ListTransactions: Command {
    static let name = "transaction list"
    static let summary = "List what is pending."

    init(_ arguments: ParsedArguments) {}

    func run(on terminal: Terminal) throws(CommandFailure) {
        throw CommandFailure(.nothingPending, "nothing is pending")
    }
}
