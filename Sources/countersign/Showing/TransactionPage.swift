import AuthenticationHandler
import CommandLineTool

/// All that an approval of a transaction signs, for a person to read.
///
/// Nothing in it can hide or move anything on a screen: the library refuses a transaction of which
/// a text could (SECURITY 2.12).
struct TransactionPage {
    let transaction: PendingTransaction

    func text(on output: Output) -> String {
        let title = output.broken(transaction.title).map(output.bold)
        let own = output.lines(of: amounts + payees + particulars, indent: 2)
        // Apart from the others, whose names its labels may have.
        let added = output.lines(of: fields, indent: 4)
        let heading = added.isEmpty ? [] : ["  In the bank's own words:"]
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
            Fact("Id", transaction.id),
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
