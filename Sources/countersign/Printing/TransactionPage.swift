import AuthenticationHandler
import CommandLineTool

/// The whole content of a request, for a person to read: an approval signs it.
///
/// The library rejects a transaction whose texts could hide or move text on the screen.
struct TransactionPage {
    let transaction: PendingTransaction

    func text(on output: Output) -> String {
        let title = output.broken(transaction.title).map(output.bold)
        let own = output.lines(of: amounts + payees + particulars, indent: 2)
        // Indented, because a label of the bank may equal one of our names.
        let added = output.lines(of: fields, indent: 4)
        let heading = added.isEmpty ? [] : ["  \(RequestLabels.otherDetails)"]
        return (title + own + heading + added).joined(separator: "\n")
    }

    private var amounts: [Fact] {
        transaction.amounts.map { Fact(RequestLabels.amount, $0.formatted, isBold: true) }
    }

    private var payees: [Fact] {
        transaction.payees.flatMap {
            // With a label, because the rest of a long name can be like an account number.
            [Fact(RequestLabels.payee, $0.name), Fact($0.recipient.label, "\($0.recipient)")]
        }
    }

    private var fields: [Fact] { transaction.fields.map { Fact($0.label, $0.value) } }

    private var particulars: [Fact] {
        [
            Fact(RequestLabels.kind, RequestLabels.kind(transaction.context)),
            Fact(RequestLabels.account, transaction.account.description),
        ] + (transaction.reference.map { [Fact(RequestLabels.reference, $0)] } ?? []) + [
            Fact(RequestLabels.timeLeft, transaction.timeLeft),
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

extension PendingTransaction.Payee.Recipient {
    fileprivate var label: String {
        switch self {
        case .account: RequestLabels.payeeAccount
        case .merchant: RequestLabels.merchant
        }
    }
}

extension PendingTransaction.Context {
    /// Its name in the bank API.
    var name: String {
        switch self {
        case .payment: "payment"
        case .action: "action"
        case .login: "login"
        }
    }
}
