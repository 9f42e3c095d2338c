import AuthenticationHandler
import CommandLineTool

/// All data that an approval signs, for a person to read.
///
/// The library rejects a transaction whose texts could hide or move text on the screen.
struct TransactionPage {
    let transaction: PendingTransaction

    func text(on output: Output) -> String {
        let title = output.broken(transaction.title).map(output.bold)
        let own = output.lines(of: amounts + payees + particulars, indent: 2)
        // Indented, because a label of the bank may equal one of our names.
        let added = output.lines(of: fields, indent: 4)
        let heading = added.isEmpty ? [] : ["  Other details from the bank:"]
        return (title + own + heading + added).joined(separator: "\n")
    }

    private var amounts: [Fact] {
        transaction.amounts.map { Fact("Amount", $0.formatted, isBold: true) }
    }

    private var payees: [Fact] {
        transaction.payees.flatMap { [Fact("To", $0.name), Fact("", $0.account)] }
    }

    private var fields: [Fact] { transaction.fields.map { Fact($0.label, $0.value) } }

    private var particulars: [Fact] {
        [
            Fact("Kind", transaction.context.name),
            Fact("Account", transaction.account.description),
        ] + (transaction.reference.map { [Fact("Reference", $0)] } ?? []) + [
            Fact("Time left", remainingTime(until: transaction.deadline)),
            Fact("ID", transaction.id),
        ]
    }
}

extension Output {
    func print(_ transaction: PendingTransaction, inJSON: Bool) throws(CommandFailure) {
        if inJSON {
            try print(json: ShownTransaction(transaction))
        } else {
            try print(TransactionPage(transaction: transaction).text(on: self))
        }
    }
}

extension PendingTransaction.Context {
    var name: String {
        switch self {
        case .payment: "payment"
        case .action: "action"
        case .login: "login"
        }
    }
}
