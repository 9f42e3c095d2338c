import AuthenticationHandler
import CommandLineTool

/// All that an approval of a transaction signs, for a person to read.
///
/// Nothing in it can hide or move anything on a screen: the library refuses a transaction of which
/// a text could (SECURITY 2.12).
struct TransactionPage {
    let transaction: PendingTransaction

    func text(on output: Output) -> String {
        let rows = amounts(output) + payees + fields + particulars
        return ([output.bold(transaction.title)] + aligned(rows).map { "  \($0)" })
            .joined(separator: "\n")
    }

    private func amounts(_ output: Output) -> [[String]] {
        transaction.amounts.map { ["Amount", output.bold($0.formatted)] }
    }

    private var payees: [[String]] {
        transaction.payees.flatMap { [["To", $0.name], ["", $0.account]] }
    }

    private var fields: [[String]] { transaction.fields.map { [$0.label, $0.value] } }

    private var particulars: [[String]] {
        [
            ["Kind", transaction.context.name],
            ["Account", transaction.account.description],
        ] + (transaction.reference.map { [["Reference", $0]] } ?? []) + [
            ["Time left", remainingTime(until: transaction.deadline)],
            ["Id", transaction.id],
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
